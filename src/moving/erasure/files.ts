import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { ImportStatus } from '../imports/model'
import type { Erased } from './rows'
import { mentions } from './stream-search'

type JobRow = Context['tables']['importJobs']['$inferSelect']

const ENDED: readonly ImportStatus[] = ['COMPLETED', 'VERIFICATION_INCOMPLETE', 'CANCELLED', 'FAILED']
const READING: readonly ImportStatus[] = ['DRY_RUN_RUNNING', 'RUNNING', 'VERIFYING']

/** Removes the person from the files that the server keeps outside of the database: exports and uploads for imports. */
export async function eraseFiles(ctx: Context, projectId: string, { ids, needles }: Pick<Erased, 'ids' | 'needles'>) {
  await removeExports(ctx, ids)
  const { importJobs: j } = ctx.tables
  const jobs = await ctx.db
    .select()
    .from(j)
    .where(and(eq(j.projectId, projectId), isNull(j.filesDeletedAt)))
  for (const job of jobs) await eraseUploads(ctx, job, needles)
}

async function removeExports(ctx: Context, ids: readonly string[]): Promise<void> {
  const { dataRequests: d } = ctx.tables
  const rows = await ctx.db
    .select({ id: d.id, key: d.artefactKey })
    .from(d)
    .where(and(inArray(d.subscriberId, [...ids]), isNotNull(d.artefactKey)))
  for (const { id, key } of rows) {
    if (key !== null) await ctx.state.blobs.remove(key)
    await ctx.write((tx) => tx.db.update(d).set({ artefactKey: null }).where(eq(d.id, id)))
  }
}

/**
 * Files of an import that has ended are no longer needed. One that still waits for a decision is given up when its files
 * name the person; one that is at work is waited for: the erasure goes on when it has ended.
 */
async function eraseUploads(ctx: Context, job: JobRow, needles: readonly string[]): Promise<void> {
  const keys = await ctx.state.blobs.list(`imports/${job.id}/`)
  const isEnded = ENDED.includes(job.status)
  if (keys.length === 0 || (!isEnded && !(await anyMentions(ctx, keys, needles)))) return
  if (READING.includes(job.status)) throw new Error(`the import ${job.id} still reads a file that names the person`)
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

async function anyMentions(ctx: Context, keys: readonly string[], needles: readonly string[]): Promise<boolean> {
  for (const key of keys) {
    const bytes = await ctx.state.blobs.read(key)
    if (bytes && (await mentions(bytes, needles))) return true
  }
  return false
}
