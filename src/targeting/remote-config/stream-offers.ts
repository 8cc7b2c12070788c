import { LIFE_MS, type StreamGrant } from './stream-token'

/**
 * A client that asks again after this time gets a new address. The address that it has then opens for the same time
 * yet.
 */
const FRESH_MS = LIFE_MS / 2
/** Names in one generation; two full generations need less than some 50 MB. */
const MAX_NAMES = 50_000

/**
 * Which clients got an address of the event stream lately. A client that is answered "not modified" keeps using its
 * address, so only a client whose address still opens may get that answer. Kept in the memory of the process: at worst
 * a client gets a full answer once more. There are two generations of names; many new names end a generation early.
 */
export class StreamOffers {
  private recent = new Map<string, number>()
  private older = new Map<string, number>()
  private generationStartedAt = 0

  constructor(private readonly maxNames = MAX_NAMES) {}

  /** The number of names in memory; a name in both generations counts twice. */
  get size(): number {
    return this.recent.size + this.older.size
  }

  /** Whether the address that the client got last opens for some minutes yet. */
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

  /** A client came with an address that does not open any more; whatever address was given after it is ignored. */
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
