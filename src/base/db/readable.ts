import type { SQL } from 'drizzle-orm'

/** Rows of which some may be unreadable: SQLite accepts any text in a JSON column. */
export interface Readable<Row> {
  rows: Row[]
  /** Ids of the rows that cannot be read. */
  unreadable: string[]
}

/** Reads all rows at once. Only when one of them cannot be read, reads them one by one. */
export async function readEach<Row>(
  select: (which: SQL | undefined) => PromiseLike<Row[]>,
  listIds: () => PromiseLike<{ id: string }[]>,
  isRow: (id: string) => SQL,
): Promise<Readable<Row>> {
  const all = await unlessUnreadable(select(undefined))
  if (all) return { rows: all, unreadable: [] }
  const rows: Row[] = []
  const unreadable: string[] = []
  for (const { id } of await listIds()) {
    const found = await unlessUnreadable(select(isRow(id)))
    if (found) rows.push(...found)
    else unreadable.push(id)
  }
  return { rows, unreadable }
}

/** Null when a row cannot be read. */
export async function unlessUnreadable<Found>(reading: PromiseLike<Found>): Promise<Found | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof SyntaxError) return null // `JSON.parse`, which reads the JSON columns, throws this.
    throw error
  }
}
