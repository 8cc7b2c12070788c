import { type ListScope, type Position, writeCursor } from './list'

/** Rows in the order of a list. A position names the row after which the next page starts. */
export interface RowSource<Row> {
  read(after: Position | null, limit: number): Promise<Row[]>
  positionOf(row: Row): Position
}

export interface Scan<Row> {
  after: Position | null
  /** The most rows that are returned. */
  limit: number
  /** The most rows that are read. */
  most: number
  /** Those of the rows that belong to the list, in the same order; absent when all do. */
  keep?: ((rows: readonly Row[]) => Promise<readonly Row[]>) | undefined
}

/** A page of a filtered list; `next` is null at its end. */
export interface ScannedPage<Row> {
  rows: Row[]
  next: Position | null
}

/** The most rows that are read at once. */
const WINDOW = 500

/**
 * Reads rows until a page is full or `most` rows were read, so that a filter that hardly any row passes costs no more
 * than any other. A page can then have fewer rows than `limit`, even none, and still name the position to continue from.
 */
export async function scanRows<Row>(source: RowSource<Row>, scan: Scan<Row>): Promise<ScannedPage<Row>> {
  const { limit, most, keep } = scan
  const kept: Row[] = []
  let { after } = scan
  for (let read = 0; read < most; ) {
    // A filter that few rows pass is read in ever larger pieces.
    const window = Math.min(Math.max(limit + 1, Math.min(read, WINDOW)), most - read)
    const rows = await source.read(after, window)
    const passing = keep ? await keep(rows) : rows
    for (const row of passing) {
      const last = kept.at(-1)
      if (kept.length === limit && last !== undefined) return { rows: kept, next: source.positionOf(last) }
      kept.push(row)
    }
    const end = rows.at(-1)
    if (rows.length < window || end === undefined) return { rows: kept, next: null }
    after = source.positionOf(end)
    read += rows.length
  }
  return { rows: kept, next: after }
}

/** The answer of a list from a scanned page. */
export const toScannedList = <Row, Item>(
  { rows, next }: ScannedPage<Row>,
  scope: ListScope,
  toItem: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } => ({
  items: rows.map(toItem),
  nextCursor: next === null ? null : writeCursor(next, scope),
})
