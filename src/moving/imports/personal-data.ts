import { and, eq, inArray } from 'drizzle-orm'
import type { OnErase } from '../../people/subscribers/hooks'

/** At an erasure: forgets the proofs of a person's purchases, and findings of imports that quote a key of theirs. */
export const eraseImported: OnErase = async (tx, { id: projectId }, _subscriber, { ids, deviceKeys, labels }) => {
  const quoted = [...deviceKeys, ...labels]
  const { importJobs: j, importSubscribers: s, importAnchors: a } = tx.tables
  const jobs = await tx.db.select({ id: j.id, findings: j.findings }).from(j).where(eq(j.projectId, projectId))
  let removed = 0
  let reduced = 0
  for (const { id, findings } of jobs) {
    const errors = findings.errors.filter(({ message }) => !quoted.some((text) => message.includes(text)))
    if (errors.length < findings.errors.length) {
      await tx.db
        .update(j)
        .set({ findings: { ...findings, errors } })
        .where(eq(j.id, id))
      reduced += 1
    }
    const isOwn = and(eq(s.jobId, id), inArray(s.subscriberId, [...ids]))
    if ((await tx.db.select({ id: s.subscriberId }).from(s).where(isOwn).limit(1)).length === 0) continue
    await tx.db.update(s).set({ before: null }).where(isOwn)
    const own = and(eq(a.jobId, id), inArray(a.subscriberId, [...ids]))
    removed += (await tx.db.delete(a).where(own).returning({ position: a.position })).length
  }
  return { import_anchors: { removed }, import_jobs: { reduced } }
}
