import { eq, inArray, sql } from 'drizzle-orm'
import type { Handle } from '../db/handle'

export type FlagTableRow = Handle['tables']['flags']['$inferSelect']

/** A project's flags of all environments, by key. */
export async function listFlags({ db, tables }: Handle, projectId: string): Promise<FlagTableRow[]> {
  const { flags: f } = tables
  return db.select().from(f).where(eq(f.projectId, projectId)).orderBy(f.key, f.env)
}

export async function insertFlags({ db, tables }: Handle, rows: FlagTableRow[]): Promise<void> {
  await db.insert(tables.flags).values(rows)
}

/** Frees the keys of rows that are about to change, so that they can go round within one transaction. */
export async function releaseFlags({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { flags: f } = tables
  await db
    .update(f)
    .set({ key: sql`'~' || ${f.id}` })
    .where(inArray(f.id, [...ids]))
}

export async function updateFlag({ db, tables }: Handle, id: string, change: Partial<FlagTableRow>): Promise<void> {
  await db.update(tables.flags).set(change).where(eq(tables.flags.id, id))
}

export async function deleteFlags({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.flags).where(inArray(tables.flags.id, [...ids]))
}
