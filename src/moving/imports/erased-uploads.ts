import { and, eq, isNull } from 'drizzle-orm'
import { mentions } from '../../base/blobs/mentions'
import type { Context } from '../../base/context'
import type { AfterErase } from '../../people/subscribers/hooks'
import { FINISHED_STATES, isRunning } from './machine'
import type { ImportStatus } from './model'
import type { ImportJobRow } from './queries'

/** The files are read no more. */
const ENDED: readonly ImportStatus[] = [...FINISHED_STATES, 'VERIFICATION_INCOMPLETE', 'UNDOING']

/** After an erasure: removes the files of imports in which the person may be. */
export const eraseUploads: AfterErase = async (ctx, { id }, { texts }) => {
  const { importJobs: j } = ctx.tables
  const hasFiles = and(eq(j.projectId, id), isNull(j.filesDeletedAt))
  for (const job of await ctx.db.select().from(j).where(hasFiles)) await eraseFiles(ctx, job, texts)
}

/**
 * Files of an import that has ended are no longer needed. One that still waits for a decision is given up when its files
 * name the person; one that is at work is waited for: the erasure goes on when it has ended.
 */
async function eraseFiles(ctx: Context, job: ImportJobRow, texts: readonly string[]): Promise<void> {
  const keys = await ctx.state.blobs.list(`imports/${job.id}/`)
  const isEnded = ENDED.includes(job.status)
  if (keys.length === 0 || (!isEnded && !(await anyMentions(ctx, keys, texts)))) return
  if (!isEnded && isRunning(job.status))
    throw new Error(`the import ${job.id} still reads a file that names the person`)
  for (const key of keys) await ctx.state.blobs.remove(key)
  const { importJobs: j } = ctx.tables
  const error = 'its file named somebody who was erased since; upload it again'
  const now = ctx.clock.now()
  const end = isEnded ? {} : { status: 'FAILED' as const, error, finishedAt: now }
  await ctx.write((tx) =>
    tx.db
      .update(j)
      .set({ ...end, filesDeletedAt: now, updatedAt: now })
      .where(and(eq(j.id, job.id), eq(j.status, job.status))),
  )
}

async function anyMentions(ctx: Context, keys: readonly string[], texts: readonly string[]): Promise<boolean> {
  for (const key of keys) {
    const bytes = await ctx.state.blobs.read(key)
    if (bytes && (await mentions(bytes, texts))) return true
  }
  return false
}
