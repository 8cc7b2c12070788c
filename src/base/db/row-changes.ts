import type { Handle } from './handle'
import type { Tx } from './tx'

/** What a change of a section writes. Rows stand as they are to be. */
export interface RowChanges<Row> {
  created: readonly Row[]
  updated: readonly Row[]
  deletedIds: readonly string[]
}

/** The statements that change a project's rows of one kind. */
export interface Writer<Row> {
  /** Frees the unique values of rows that are about to change, so that they can go round. */
  release(handle: Handle, ids: readonly string[]): Promise<void>
  remove(handle: Handle, ids: readonly string[]): Promise<void>
  insert(handle: Handle, rows: (Row & Stamps)[]): Promise<void>
  update(handle: Handle, id: string, row: Row & { updatedAt: number }): Promise<void>
}

export interface Stamps {
  projectId: string
  createdAt: number
  updatedAt: number
}

const CHUNK = 200

/** Deletes, then updates, then inserts; unique values may go round between the rows. */
export async function writeRows<Row extends { id: string }>(
  tx: Tx,
  projectId: string,
  writer: Writer<Row>,
  changes: RowChanges<Row>,
): Promise<void> {
  const now = tx.clock.now()
  await inChunks(changes.deletedIds, (ids) => writer.remove(tx, ids))
  await inChunks(changes.updated, (rows) =>
    writer.release(
      tx,
      rows.map(({ id }) => id),
    ),
  )
  for (const row of changes.updated) await writer.update(tx, row.id, { ...row, updatedAt: now })
  const stamps = { projectId, createdAt: now, updatedAt: now }
  await inChunks(changes.created, (rows) =>
    writer.insert(
      tx,
      rows.map((row) => ({ ...row, ...stamps })),
    ),
  )
}

export async function inChunks<Item>(items: readonly Item[], work: (chunk: Item[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += CHUNK) await work(items.slice(start, start + CHUNK))
}
