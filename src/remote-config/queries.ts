import { and, eq, type SQL } from 'drizzle-orm'
import type { Handle } from '../db/handle'

type Rows<Name extends 'audiences' | 'flags' | 'experiments'> = Readable<Handle['tables'][Name]['$inferSelect']>

/** The rows of a project that its remote configuration is made of. */
export interface RemoteRows {
  audiences: Rows<'audiences'>
  /** By key, ascending. */
  flags: Rows<'flags'>
  experiments: Rows<'experiments'>
}

interface Readable<Row> {
  rows: Row[]
  /** Ids of rows that hold a text that is no JSON: SQLite lets anybody write it. */
  unreadable: string[]
}

export async function loadRemoteRows({ db, tables }: Handle, projectId: string): Promise<RemoteRows> {
  const { audiences: a, flags: f, experiments: e } = tables
  const [audiences, flags, experiments] = await Promise.all([
    readEach(
      (which) =>
        db
          .select()
          .from(a)
          .where(and(eq(a.projectId, projectId), which)),
      () => db.select({ id: a.id }).from(a).where(eq(a.projectId, projectId)),
      (id) => eq(a.id, id),
    ),
    readEach(
      (which) =>
        db
          .select()
          .from(f)
          .where(and(eq(f.projectId, projectId), which))
          .orderBy(f.key),
      () => db.select({ id: f.id }).from(f).where(eq(f.projectId, projectId)).orderBy(f.key),
      (id) => eq(f.id, id),
    ),
    readEach(
      (which) =>
        db
          .select()
          .from(e)
          .where(and(eq(e.projectId, projectId), which)),
      () => db.select({ id: e.id }).from(e).where(eq(e.projectId, projectId)),
      (id) => eq(e.id, id),
    ),
  ])
  return { audiences, flags, experiments }
}

/** All rows at once; one by one only when a row among them cannot be read. */
async function readEach<Row>(
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

async function unlessUnreadable<Row>(reading: PromiseLike<Row[]>): Promise<Row[] | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof SyntaxError) return null // Of JSON.parse, which the columns are read with.
    throw error
  }
}
