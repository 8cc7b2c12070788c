import { LIFE_MS, type StreamGrant } from './stream-token'

/** Whoever asks again after this gets a new address, so that the one they know opens for as long yet. */
const FRESH_MS = LIFE_MS / 2
/** Names in one generation; with two of them the memory of a flood stays below some 50 MB. */
const MAX_NAMES = 50_000

/**
 * Who was given an address of the event stream lately. A client that is told that nothing has changed goes on with the
 * address it has, so that may only be told to one whose address still opens. In process memory: at worst somebody is
 * answered in full once more. Names live in two generations; a flood of them ends one early.
 */
export class StreamOffers {
  private recent = new Map<string, number>()
  private older = new Map<string, number>()
  private generationStartedAt = 0

  constructor(private readonly maxNames = MAX_NAMES) {}

  /** Names in memory, those of both generations counted twice. */
  get size(): number {
    return this.recent.size + this.older.size
  }

  /** Whether the address that they were given last opens for some minutes yet. */
  isFresh(grant: StreamGrant, now: number): boolean {
    const name = nameOf(grant)
    const givenAt = this.recent.get(name) ?? this.older.get(name)
    return givenAt !== undefined && Math.abs(now - givenAt) < FRESH_MS
  }

  note(grant: StreamGrant, now: number): void {
    if (Math.abs(now - this.generationStartedAt) >= FRESH_MS || this.recent.size >= this.maxNames)
      this.startGeneration(now)
    this.recent.set(nameOf(grant), now)
  }

  /** One of their clients came with an address that opens no more: whatever another one was given since. */
  withdraw(grant: StreamGrant): void {
    const name = nameOf(grant)
    this.recent.delete(name)
    this.older.delete(name)
  }

  private startGeneration(now: number): void {
    this.older = this.recent
    this.recent = new Map()
    this.generationStartedAt = now
  }
}

const nameOf = ({ keyId, presented, subscriber, env }: StreamGrant): string =>
  `${keyId}\n${presented}\n${env}\n${subscriber}`
