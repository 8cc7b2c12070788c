import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { toIso } from '../../base/lib/time'
import type { ExportedPerson, OnExport } from '../../people/subscribers/hooks'

/** For the data export of a person: which imports brought the person, the purchases, and what proves these. */
export const exportImported: OnExport = (handle, _project, person) => ({
  'imports.jsonl': (async function* () {
    yield* broughtOf(handle, person)
    yield* purchasesOf(handle, person)
    yield* proofsOf(handle, person)
  })(),
})

async function* broughtOf({ db, tables }: Handle, { row, ids }: ExportedPerson) {
  const { importJobs: j, importSubscribers: s } = tables
  const found = db.select({ job: { preset: j.preset, createdAt: j.createdAt }, brought: s }).from(j)
  const isOwn = and(eq(s.jobId, j.id), inArray(s.subscriberId, [...ids]))
  for (const { job, brought } of await found.innerJoin(s, isOwn).where(eq(j.projectId, row.projectId)))
    yield { record: 'import', preset: job.preset, importedAt: toIso(job.createdAt), ...brought }
}

async function* purchasesOf({ db, tables }: Handle, { ids }: ExportedPerson) {
  const { importPurchases: i, purchases: p } = tables
  const found = db.select({ imported: i }).from(p).innerJoin(i, eq(i.purchaseId, p.id))
  for (const { imported } of await found.where(inArray(p.subscriberId, [...ids])))
    yield { record: 'importedPurchase', ...imported }
}

async function* proofsOf({ db, tables: { importAnchors: a } }: Handle, { row, ids }: ExportedPerson) {
  const isOwn = and(eq(a.projectId, row.projectId), inArray(a.subscriberId, [...ids]))
  for (const { jobId, purchaseId, store, proof, state } of await db
    .select()
    .from(a)
    .where(isOwn)
    .orderBy(asc(a.position)))
    yield { record: 'proof', jobId, purchaseId, store, proof, state }
}
