/** Which part of a list to read, newest first. */
export interface Page {
  /** Only rows that were created before this one. */
  beforeId?: string | undefined
  limit: number
}

export interface Paged<Item> {
  items: Item[]
  hasMore: boolean
}

/** Reads one row more than `limit`; this row shows whether there are more. */
export async function paged<Item>({ limit }: Page, read: (limit: number) => Promise<Item[]>): Promise<Paged<Item>> {
  const rows = await read(limit + 1)
  return { items: rows.slice(0, limit), hasMore: rows.length > limit }
}

const ROWS_AT_ONCE = 500

/** All rows of a list, which is read page by page as they are taken. `read` gives those after a row, in its order. */
export async function* allRows<Row>(read: (after: Row | null, limit: number) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let after: Row | null = null; ; ) {
    const rows: Row[] = await read(after, ROWS_AT_ONCE)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    after = last
  }
}
