import type { ChangeSource } from '../db/change-listener'

/** An answer that the next request of the same words may have as it is. */
export interface ReadyAnswer {
  body: string
  etag: string
  /** Whoever asked. */
  subscriberId: string
  /** Ids of the rows that it was made of, theirs among them: it falls with each of these. */
  rowIds: readonly string[]
  /** Of the project's configuration. A number, as the configuration itself would be held in memory. */
  edition: number
  /** The instant that it was made at. */
  from: number
  /** Up to this instant, and no longer, the clock alone changes nothing about it. */
  until: number
}

/** Whether changes name rows of this id. */
export const isRowId = (id: string): boolean => id.startsWith('sub_') || id.startsWith('pur_')

/** Both generations together, as far as it can be told: 40,000 answers to those who have bought nothing, 27,000 to others. */
const MAX_BYTES = 32 * 1024 * 1024
const ENTRY_BYTES = 450
const ROW_BYTES = 150
const MAX_NAME = 1000
/** Looking takes 3 µs: nobody who has called `svc` beside the server should be shown what was before. */
const CHECK_MS = 10

/**
 * Answers that depend on nothing but their request, their project's configuration, the rows of their subscriber and,
 * between two instants that are known, no clock. Exact within this process, because every change of rows forgets what it
 * touches; a change by another process empties all within 10 ms. They live in two generations: what nobody asked for
 * while one filled up is dropped.
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
    if (found) return holdsAt(found, now) ? found : undefined
    const kept = this.older.answers.get(name)
    if (!kept || !holdsAt(kept, now)) return undefined
    this.add(name, kept)
    return kept
  }

  /** To be taken before anything is read for an answer that may be kept. */
  mark(now: number): number {
    return this.isCurrent(now) ? this.changes : Number.NaN
  }

  /** Keeps an answer unless anything has changed since its mark. */
  keep(name: string, answer: ReadyAnswer, mark: number): void {
    if (mark === this.changes && name.length <= MAX_NAME && answer.rowIds.every(isRowId)) this.add(name, answer)
  }

  /** Forgets the answers made of a row, and what is being made of it. */
  forget(rowId: string): void {
    this.changes++
    this.recent.forget(rowId)
    this.older.forget(rowId)
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

  /** Looks for changes of other processes, at most once in 10 ms. A database in trouble answers for itself. */
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

/** Before `from` as well it need not be true: a clock can be set back. */
const holdsAt = ({ from, until }: ReadyAnswer, now: number): boolean => now >= from && now < until

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])

class Generation {
  readonly answers = new Map<string, ReadyAnswer>()
  bytes = 0
  /** By the id of a row. */
  private readonly namesOf = new Map<string, string[]>()
  /** Most subscribers of a project have an answer in common with others. */
  private readonly bodies = new Map<string, string>()

  add(name: string, answer: ReadyAnswer): void {
    const body = this.bodies.get(answer.body)
    if (body === undefined) {
      this.bodies.set(answer.body, answer.body)
      this.bytes += 2 * answer.body.length
    }
    const before = this.answers.get(name)
    if (!before) this.bytes += ENTRY_BYTES + 2 * name.length
    if (!before || !isSame(before.rowIds, answer.rowIds)) for (const id of answer.rowIds) this.register(id, name)
    this.answers.set(name, body === undefined ? answer : { ...answer, body })
  }

  /** What they took is not given back before the generation ends: bodies are shared. */
  forget(rowId: string): void {
    for (const name of this.namesOf.get(rowId) ?? []) this.answers.delete(name)
    this.namesOf.delete(rowId)
  }

  private register(rowId: string, name: string): void {
    this.bytes += ROW_BYTES
    const names = this.namesOf.get(rowId)
    if (names) names.push(name)
    else this.namesOf.set(rowId, [name])
  }
}
