import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { listRevisions, listRevisionsWith } from '../../projects/audit/revisions'
import { NO_COUNTERS } from './machine'
import type { UnverifiedReason } from './model'
import { findJob, type ImportJobRow, pageJobs } from './queries'

/** An import job of wire 7.10. */
export const toImportView = (job: ImportJobRow, revision: number) => ({
  id: job.id,
  kind: job.kind,
  status: job.status,
  preset: job.preset,
  fileName: job.fileName,
  bytes: bytesOf(job),
  headers: job.headers,
  mapping: job.mapping,
  options: job.options,
  counters: { ...NO_COUNTERS, ...job.counters },
  fileRows: job.findings.fileRows ?? null,
  forecast: job.findings.forecast ?? null,
  errors: job.findings.errors.map((one) => ({ ...one, severity: one.severity ?? ('ERROR' as const) })),
  unknownProducts: job.findings.unknownProducts,
  ...reasonsOf(job),
  failure: job.error,
  undone: job.findings.undone ?? null,
  startedBy: job.startedBy,
  finishedAt: toIsoOrNull(job.finishedAt),
  filesDeletedAt: toIsoOrNull(job.filesDeletedAt),
  undoneAt: toIsoOrNull(job.undoneAt),
  revision,
  createdAt: toIso(job.createdAt),
  updatedAt: toIso(job.updatedAt),
})

function reasonsOf({ findings }: ImportJobRow): { unverifiableFor?: UnverifiedReason[] } {
  const reasons = findings.verification?.reasons ?? []
  return reasons.length === 0 ? {} : { unverifiableFor: reasons }
}

export type ImportView = ReturnType<typeof toImportView>

/** Of the files as they were sent. Several CSV files of one zip file lie in one blob. */
const bytesOf = ({ files }: ImportJobRow): number =>
  [...new Map(files.map(({ key, bytes }) => [key, bytes])).values()].reduce((total, bytes) => total + bytes, 0)

/** The newest first. A list shows no faults of rows, because each job may have a thousand. */
export async function listImportViews(ctx: Context, projectId: string, page: Page): Promise<Paged<ImportView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'imp')
  const { items, hasMore } = await paged(page, (limit) => pageJobs(ctx, projectId, { ...page, limit }))
  const views = items.map((job) => ({ ...toImportView(job, revisions.get(job.id) ?? 1), errors: [] }))
  return { items: views, hasMore }
}

export async function getImportView(ctx: Context, projectId: string, id: string): Promise<ImportView> {
  const revisions = await listRevisions(ctx, projectId, [id])
  return toImportView(await requireJob(ctx, projectId, id), revisions.get(id) ?? 1)
}

export async function requireJob(ctx: Context, projectId: string, id: string): Promise<ImportJobRow> {
  const job = await findJob(ctx, projectId, id)
  if (!job) throw notFound('import', id)
  return job
}
