import type { ChangeSource } from '../db/change-listener'
import { SECOND } from '../lib/clock'

/** An answer that the next request of the same words may have as it is. */
export interface ReadyAnswer {
  body: string
  etag: string
  /** Whoever asked; the answer falls with their rows. */
  subscriberId: string
  /** Of the project whose configuration it was made of. A number, as the configuration itself would be held in memory. */
  configVersion: number
}

/** Both generations together, as far as it can be told: some 60,000 answers of a usual project. */
const MAX_BYTES = 32 * 1024 * 1024
const ENTRY_BYTES = 450
const MAX_NAME = 1000
const CHECK_MS = SECOND

/**
 * Answers that depend on nothing but their request, their project's configuration and their subscriber's rows. Exact
 * within this process, because every change of rows forgets what it touches; a change by another process empties all
 * within a second. They live in two generations: what nobody asked for while one filled up is dropped.
 */
export class ReadyAnswers {
  private recent = new Generation()
  private older = new Generation()
  private seenVersion = Number.NaN
  private checkedAt = Number.NEGATIVE_INFINITY
  /** Moves with each change: what was begun before it is not kept after it. */
  private changes = 0

  /** Without a source nobody says when rows change, and nothing is kept. */
  constructor(
    private readonly source: ChangeSource | null,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  get bytes(): number {
    return this.recent.bytes + this.older.bytes
  }

  find(name: string, now: number): ReadyAnswer | undefined {
    if (!this.isCurrent(now)) return undefined
    const found = this.recent.answers.get(name)
    if (found) return found
    const kept = this.older.answers.get(name)
    if (kept) this.add(name, kept)
    return kept
  }

  /** To be taken before anything is read for an answer that may be kept. */
  mark(now: number): number {
    return this.isCurrent(now) ? this.changes : Number.NaN
  }

  /** Keeps an answer unless anything has changed since its mark. */
  keep(name: string, answer: ReadyAnswer, mark: number): void {
    if (mark === this.changes && name.length <= MAX_NAME) this.add(name, answer)
  }

  /** Forgets the answers of a subscriber, and what is being made of their rows. */
  forget(subscriberId: string): void {
    this.changes++
    this.recent.forget(subscriberId)
    this.older.forget(subscriberId)
  }

  clear(): void {
    this.changes++
    this.recent = new Generation()
    this.older = new Generation()
  }

  private add(name: string, answer: ReadyAnswer): void {
    if (this.recent.bytes >= this.maxBytes / 2) {
      this.older = this.recent
      this.recent = new Generation()
    }
    this.recent.add(name, answer)
  }

  /** Looks for changes of other processes, at most once a second. A database in trouble answers for itself. */
  private isCurrent(now: number): boolean {
    if (this.source === null) return false
    if (Math.abs(now - this.checkedAt) < CHECK_MS) return true
    try {
      const version = this.source.foreignVersion()
      if (version !== this.seenVersion) this.clear()
      this.seenVersion = version
      this.checkedAt = now
      return true
    } catch {
      this.clear()
      this.seenVersion = Number.NaN
      return false
    }
  }
}

class Generation {
  readonly answers = new Map<string, ReadyAnswer>()
  bytes = 0
  private readonly namesOf = new Map<string, string[]>()
  /** Most subscribers of a project have an answer in common with others. */
  private readonly bodies = new Map<string, string>()

  add(name: string, answer: ReadyAnswer): void {
    const body = this.bodies.get(answer.body)
    if (body === undefined) {
      this.bodies.set(answer.body, answer.body)
      this.bytes += 2 * answer.body.length
    }
    if (this.answers.get(name)?.subscriberId !== answer.subscriberId) {
      this.bytes += ENTRY_BYTES + 2 * name.length
      const names = this.namesOf.get(answer.subscriberId)
      if (names) names.push(name)
      else this.namesOf.set(answer.subscriberId, [name])
    }
    this.answers.set(name, body === undefined ? answer : { ...answer, body })
  }

  /** What they took is not given back before the generation ends: bodies are shared. */
  forget(subscriberId: string): void {
    for (const name of this.namesOf.get(subscriberId) ?? []) this.answers.delete(name)
    this.namesOf.delete(subscriberId)
  }
}
