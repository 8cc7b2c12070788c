import { and, count, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import type { RetentionRule } from '../../base/retention/rule'
import type { LeftBehind } from '../project-move/left-behind'
import { FINISHED_STATES } from './machine'
import { type ImportJobRow, listExpired, updateJob } from './queries'
import { reportKey } from './report'

/** How long the files of an import stay after its end (wire 6). */
const FILES_KEPT_MS = 7 * DAY

const MAX_AT_ONCE = 100

/** Deletes the files of imports that ended long ago. Those that can still continue are never among them. */
export async function deleteOldFiles(ctx: Context): Promise<void> {
  const before = ctx.clock.now() - FILES_KEPT_MS
  for (const job of await listExpired(ctx, FINISHED_STATES, before, MAX_AT_ONCE)) await deleteFiles(ctx, job)
}

async function deleteFiles(ctx: Context, { id, files }: ImportJobRow): Promise<void> {
  for (const key of new Set([...files.map((file) => file.key), reportKey(id)])) await ctx.state.blobs.remove(key)
  const now = ctx.clock.now()
  await ctx.write((tx) => updateJob(tx, id, { filesDeletedAt: now, updatedAt: now }))
}

export const importFileRetention: RetentionRule = {
  name: 'files of imports that have ended',
  tables: [],
  keptMs: FILES_KEPT_MS,
  sweep: deleteOldFiles,
}

/** Imports whose files a move of the project does not take along. */
export async function keptUploads({ db, tables: { importJobs: j } }: Handle, projectId: string): Promise<LeftBehind> {
  const hasFiles = and(eq(j.projectId, projectId), isNull(j.filesDeletedAt))
  const [row] = await db.select({ count: count() }).from(j).where(hasFiles)
  return { what: 'imports whose files are still kept', count: row?.count ?? 0 }
}
