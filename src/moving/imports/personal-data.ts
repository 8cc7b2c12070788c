import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { OnErase } from '../../people/subscribers/hooks'
import type { ImportFindings } from './model'
import { findJob, type ImportJobRow, lockFindings, updateJob } from './queries'

/** At an erasure: forgets the proofs of a person's purchases, and findings of imports that quote a key of theirs. */
export const eraseImported: OnErase = async (tx, { id: projectId }, _subscriber, { ids, deviceKeys, labels }) => {
  const quoted = [...deviceKeys, ...labels]
  const { importJobs: j, importSubscribers: s, importAnchors: a } = tx.tables
  const jobs = await tx.db.select({ id: j.id, findings: j.findings }).from(j).where(eq(j.projectId, projectId))
  let removed = 0
  let reduced = 0
  for (const { id, findings } of jobs) {
    if (hasQuoted(findings, quoted)) reduced += await reduceFindings(tx, { projectId, id }, quoted)
    const isOwn = and(eq(s.jobId, id), inArray(s.subscriberId, [...ids]))
    if ((await tx.db.select({ id: s.subscriberId }).from(s).where(isOwn).limit(1)).length === 0) continue
    await tx.db.update(s).set({ before: null }).where(isOwn)
    const own = and(eq(a.jobId, id), inArray(a.subscriberId, [...ids]))
    removed += (await tx.db.delete(a).where(own).returning({ position: a.position })).length
  }
  return { import_anchors: { removed }, import_jobs: { reduced } }
}

const quotes = ({ message }: ImportFindings['errors'][number], texts: readonly string[]): boolean =>
  texts.some((text) => message.includes(text))

const hasQuoted = ({ errors }: ImportFindings, texts: readonly string[]): boolean =>
  errors.some((error) => quotes(error, texts))

async function reduceFindings(
  tx: Tx,
  { projectId, id }: Pick<ImportJobRow, 'projectId' | 'id'>,
  texts: readonly string[],
): Promise<number> {
  await lockFindings(tx, id)
  const job = await findJob(tx, projectId, id)
  if (!job || !hasQuoted(job.findings, texts)) return 0
  const errors = job.findings.errors.filter((error) => !quotes(error, texts))
  await updateJob(tx, id, { findings: { ...job.findings, errors } })
  return 1
}
