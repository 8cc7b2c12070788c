import { asc, eq, lt } from 'drizzle-orm'
import type { Context, Tx } from '../context'
import type { Handle } from '../db/handle'
import { HOUR } from '../lib/clock'
import { oldestOf, type RetentionRule } from '../retention/rule'

/** Marks the files of a folder as belonging to nothing. An upload does so before it writes the first of them. */
export async function announceFiles({ db, tables, clock }: Tx, folder: string): Promise<void> {
  await db.insert(tables.unsettledFiles).values({ folder, createdAt: clock.now() })
}

/** Says that a row names the files of the folder now; in the transaction that writes the row. */
export async function settleFiles({ db, tables }: Tx, folder: string): Promise<void> {
  await db.delete(tables.unsettledFiles).where(eq(tables.unsettledFiles.folder, folder))
}

/** Removes the files of a folder that was announced. When that fails, the sweep does it later. */
export async function removeFiles(ctx: Context, folder: string): Promise<void> {
  const { blobs } = ctx.state
  for (const key of await blobs.list(`${folder}/`)) await blobs.remove(key)
  await ctx.write((tx) => settleFiles(tx, folder))
}

/** An upload that is older has been interrupted (wire 6). */
const KEPT_MS = 6 * HOUR
const AT_ONCE = 500

async function listUnsettled({ db, tables }: Handle, before: number): Promise<string[]> {
  const { unsettledFiles: f } = tables
  const rows = await db
    .select({ folder: f.folder })
    .from(f)
    .where(lt(f.createdAt, before))
    .orderBy(asc(f.createdAt))
    .limit(AT_ONCE)
  return rows.map(({ folder }) => folder)
}

export const unsettledRetention: RetentionRule = {
  name: 'files of interrupted uploads, and of what was deleted',
  tables: ['unsettledFiles'],
  keptMs: KEPT_MS,
  sweep: async (ctx, isStopping) => {
    for (const folder of await listUnsettled(ctx, ctx.clock.now() - KEPT_MS)) {
      if (isStopping()) return
      await removeFiles(ctx, folder)
    }
  },
  oldest: (handle) => oldestOf(handle, handle.tables.unsettledFiles, handle.tables.unsettledFiles.createdAt, KEPT_MS),
}
