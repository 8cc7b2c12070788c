import type { Handle } from './handle'
import type { Tx } from './tx'

/** The rows that a change creates, updates and deletes. Each row has its new values. */
export interface RowChanges<Row> {
  created: readonly Row[]
  updated: readonly Row[]
  deletedIds: readonly string[]
}

/** The statements that change a project's rows of one kind. */
export interface Writer<Row> {
  /** Makes the unique values of these rows free before they change, so that rows can exchange their values. */
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

/** Deletes, then updates, then inserts. Rows may exchange their unique values. */
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
