import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { AfterErase, PersonTexts } from '../../people/subscribers/hooks'
import { ImportUnreadable } from './files/faults'
import { namesPerson } from './files/names-person'
import { FINISHED_STATES, isRunning } from './machine'
import type { ImportStatus } from './model'
import type { ImportJobRow } from './queries'

/** The files are read no more. */
const ENDED: readonly ImportStatus[] = [...FINISHED_STATES, 'VERIFICATION_INCOMPLETE', 'UNDOING']

/** After an erasure: removes the files of imports in which the person may be. */
export const eraseUploads: AfterErase = async (ctx, { id }, { texts }) => {
  const { importJobs: j } = ctx.tables
  const hasFiles = and(eq(j.projectId, id), isNull(j.filesDeletedAt))
  const awaited: string[] = []
  for (const job of await ctx.db.select().from(j).where(hasFiles))
    if (!(await eraseFiles(ctx, job, texts))) awaited.push(job.id)
  if (awaited.length > 0) throw new Error(`a file that names the person is still read by ${awaited.join(', ')}`)
}

/**
 * Files of an import that has ended are no longer needed. One that still waits for a decision is given up when its files
 * name the person; one that is at work is waited for: the erasure continues when it has ended. False = it is at work.
 */
async function eraseFiles(ctx: Context, job: ImportJobRow, texts: PersonTexts): Promise<boolean> {
  const keys = await ctx.state.blobs.list(`imports/${job.id}/`)
  const isEnded = ENDED.includes(job.status)
  if (keys.length === 0) return true
  if (!isEnded) {
    // The names of a person who was erased before this call are not known any more.
    const mayBeNamed = isRunning(job.status) && texts.chosen.length === 0
    if (!mayBeNamed && !(await isNamed(ctx, job, texts))) return true
    if (isRunning(job.status)) return false
  }
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
  return true
}

/** Whether a file of the job names the person; one that cannot be read is taken for one that does. */
async function isNamed({ state: { blobs } }: Context, { files, mapping }: ImportJobRow, texts: PersonTexts) {
  for (const file of files) if (await namesPerson(blobs, file, mapping, texts).catch(unlessUnreadable)) return true
  return files.length === 0
}

function unlessUnreadable(error: unknown): true {
  if (error instanceof ImportUnreadable) return true
  throw error
}
