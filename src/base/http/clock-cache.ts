/** An answer that can be sent unchanged to the next equal request. */
export interface CachedResponse {
  body: string
  etag: string
  /** Id of the caller. */
  callerId: string
  /** Ids of the rows from which it was made. A change of any of them drops it. */
  rowIds: readonly string[]
  /** Edition of the project's configuration. A number, because a reference would keep the configuration in memory. */
  edition: number
  /** The instant at which it was made. */
  from: number
  /** It is valid before this instant. From then on the time alone may change it. */
  until: number
}

interface Kept extends CachedResponse {
  /** Whether it was sent to a caller since the position for dropping last passed it. */
  isUsed: boolean
}

interface Shared {
  text: string
  holders: number
}

const ENTRY_BYTES = 450
const ROW_BYTES = 150
/** Answers per row. Apps send three or four different requests; a caller with more drops their own oldest answers. */
const MAX_NAMES = 16

/**
 * Answers by name, up to an estimated number of bytes. Above that number, a position moves through the answers in a
 * circle and drops each one that was not used since the position last passed it (the CLOCK algorithm).
 */
export class ClockCache {
  bytes = 0
  private readonly kept = new Map<string, Kept>()
  /** Names of answers, by the id of the row from which they were made. */
  private readonly namesOf = new Map<string, string[]>()
  /** Each body is stored once, because many callers of a project get the same answer. */
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

  /** Drops every answer that was made from a row. */
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

/** Estimated bytes without the body, which other answers may share. */
const sizeOf = (name: string, { rowIds }: CachedResponse): number =>
  ENTRY_BYTES + 2 * name.length + ROW_BYTES * rowIds.length
