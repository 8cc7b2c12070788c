import type { Tx } from '../../base/context'
import { type Notice, type NoticeKind, notify } from '../../operators/notices/notify'
import { findJob, type ImportJobRow, updateJob } from './queries'

export const IMPORT_ENDED: NoticeKind = {
  kind: 'import_ended',
  description: 'An import has failed, or the stores could not be asked about all of it.',
}

/** Tells those who may import that a job has failed. */
export async function tellFailed(tx: Tx, job: ImportJobRow, reason: string): Promise<void> {
  const title = `The import of ${job.fileName} failed`
  await notify(
    tx,
    noticeOf(job, title, `${job.id} (${job.fileName}) ended with: ${reason}. What it has written stays.`),
  )
}

/** The same when the stores could not be asked about everything; once for a job, however often that continues. */
export async function tellIncomplete(tx: Tx, { projectId, id }: ImportJobRow): Promise<void> {
  const job = await findJob(tx, projectId, id) // With what the verification has written.
  if (!job || job.findings.isToldIncomplete) return
  const { fileName, counters, error } = job
  const why = error === null ? '' : ` ${error}.`
  const body = `The rows of ${id} (${fileName}) are written, and the stores have confirmed ${counters.verified} of its purchases; ${counters.remaining} are still to be asked about.${why} Go on with svc import resume ${id}, or in the console.`
  await notify(tx, noticeOf(job, `The import of ${fileName} is not verified whole`, body))
  await updateJob(tx, id, { findings: { ...job.findings, isToldIncomplete: true } })
}

const noticeOf = ({ projectId }: ImportJobRow, title: string, body: string): Notice => ({
  ...{ kind: IMPORT_ENDED.kind, projectId, roles: ['OWNER', 'ADMIN'], title, body, mail: {} },
})
