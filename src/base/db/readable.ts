import type { SQL } from 'drizzle-orm'

/** Rows that a JSON column may have made unreadable: SQLite lets anybody write a text that is no JSON. */
export interface Readable<Row> {
  rows: Row[]
  /** Ids of the rows that cannot be read. */
  unreadable: string[]
}

/** All rows at once; one by one only when a row among them cannot be read. */
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

/** Null where a row cannot be read. */
export async function unlessUnreadable<Found>(reading: PromiseLike<Found>): Promise<Found | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof SyntaxError) return null // Of JSON.parse, which the columns are read with.
    throw error
  }
}
