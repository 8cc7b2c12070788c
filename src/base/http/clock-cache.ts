/** An answer that the next equal request may be given as it is. */
export interface CachedResponse {
  body: string
  etag: string
  /** Id of the one who asked. */
  callerId: string
  /** Ids of the rows that it was made of: a change of any of them drops it. */
  rowIds: readonly string[]
  /** Of the project's configuration. A number, as the configuration itself would be held in memory. */
  edition: number
  /** The instant that it was made at. */
  from: number
  /** Up to this instant, and no longer, the clock alone changes nothing about it. */
  until: number
}

interface Kept extends CachedResponse {
  /** Given to somebody since the position for dropping last passed it. */
  isUsed: boolean
}

interface Shared {
  text: string
  holders: number
}

const ENTRY_BYTES = 450
const ROW_BYTES = 150
/** Made of one row. Apps ask in three or four ways; a caller with more drops their own oldest ones. */
const MAX_NAMES = 16

/**
 * Answers by name, up to a number of bytes, as far as can be estimated. Above it, a position moves through them in a
 * circle and drops each that nobody has asked for since it last passed (the algorithm CLOCK).
 */
export class ClockCache {
  bytes = 0
  private readonly kept = new Map<string, Kept>()
  /** By the id of a row. */
  private readonly namesOf = new Map<string, string[]>()
  /** Most callers of a project get the same answer as others. */
  private readonly bodies = new Map<string, Shared>()
  private position = this.kept.entries()

  constructor(private readonly maxBytes: number) {}

  find(name: string): CachedResponse | undefined {
    const found = this.kept.get(name)
    if (found) found.isUsed = true
    return found
  }

  put(name: string, answer: CachedResponse): void {
    this.drop(name)
    for (const id of answer.rowIds) this.register(id, name)
    this.kept.set(name, { ...answer, body: this.share(answer.body), isUsed: false })
    this.bytes += sizeOf(name, answer)
    while (this.bytes > this.maxBytes) this.dropOne()
  }

  /** Drops every answer that was made of a row. */
  forget(rowId: string): void {
    for (const name of [...(this.namesOf.get(rowId) ?? [])]) this.drop(name)
  }

  private dropOne(): void {
    const { value, done } = this.position.next()
    if (done) this.position = this.kept.entries()
    else if (value[1].isUsed) value[1].isUsed = false
    else this.drop(value[0])
  }

  private drop(name: string): void {
    const found = this.kept.get(name)
    if (!found) return
    this.kept.delete(name)
    this.bytes -= sizeOf(name, found)
    this.release(found.body)
    for (const id of found.rowIds) this.unregister(id, name)
  }

  private register(rowId: string, name: string): void {
    const names = this.namesOf.get(rowId)
    const [oldest] = names ?? []
    if (names && oldest !== undefined && names.length >= MAX_NAMES) this.drop(oldest)
    const left = this.namesOf.get(rowId)
    if (left) left.push(name)
    else this.namesOf.set(rowId, [name])
  }

  private unregister(rowId: string, name: string): void {
    const left = this.namesOf.get(rowId)?.filter((other) => other !== name) ?? []
    if (left.length > 0) this.namesOf.set(rowId, left)
    else this.namesOf.delete(rowId)
  }

  private share(body: string): string {
    const shared = this.bodies.get(body)
    if (!shared) {
      this.bodies.set(body, { text: body, holders: 1 })
      this.bytes += 2 * body.length
      return body
    }
    shared.holders++
    return shared.text
  }

  private release(body: string): void {
    const shared = this.bodies.get(body)
    if (!shared || --shared.holders > 0) return
    this.bodies.delete(body)
    this.bytes -= 2 * body.length
  }
}

/** Without the body, which others may share. */
const sizeOf = (name: string, { rowIds }: CachedResponse): number =>
  ENTRY_BYTES + 2 * name.length + ROW_BYTES * rowIds.length
