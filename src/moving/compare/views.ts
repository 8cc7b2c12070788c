import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { listRevisions } from '../../projects/audit/revisions'
import { NO_COUNTERS } from './model'
import { type FindingRow, findRun, findSchedule, pageRuns, type RunRow, type ScheduleRow } from './queries'

/** A run without its key. */
export const toRunView = (run: RunRow) => ({
  ...{ id: run.id, vendor: run.vendor, url: run.url, sample: run.sample, rate: run.rate },
  ...{ skipSandbox: run.skipSandbox, isScheduled: run.isScheduled, status: run.status },
  counters: { ...NO_COUNTERS, ...run.counters },
  differences: Object.values(run.kinds).reduce((sum, number) => sum + number, 0),
  kinds: run.kinds,
  error: run.error,
  startedAt: toIso(run.startedAt),
  finishedAt: toIsoOrNull(run.finishedAt),
})

export type RunView = ReturnType<typeof toRunView>

export const toFindingView = (row: FindingRow) => ({
  ...{ subscriberId: row.subscriberId || null, person: row.person, kind: row.kind, identifier: row.identifier },
  ...{ ours: row.ours, theirs: row.theirs, rule: row.rule, reason: row.reason, purchaseId: row.purchaseId },
})

export const toScheduleView = (row: ScheduleRow, revision: number) => ({
  ...{ id: row.id, vendor: row.vendor, url: row.url, keyLast4: row.keyLast4, sample: row.sample, rate: row.rate },
  ...{ skipSandbox: row.skipSandbox, dailyAt: row.dailyAt, isEnabled: row.isEnabled },
  ...{ nextRunAt: row.isEnabled ? toIso(row.nextRunAt) : null, revision },
  ...{ createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) },
})

export type ScheduleView = ReturnType<typeof toScheduleView>

/** The comparisons of a project, newest first. */
export async function listRunViews(ctx: Context, projectId: string, page: Page): Promise<Paged<RunView>> {
  const { items, hasMore } = await paged(page, (limit) => pageRuns(ctx, projectId, { ...page, limit }))
  return { items: items.map(toRunView), hasMore }
}

/** 404 when the project has no such run. */
export async function getRun(ctx: Context, projectId: string, id: string): Promise<RunRow> {
  const run = await findRun(ctx, projectId, id)
  if (!run) throw notFound('comparison', id)
  return run
}

/** 404 when the project has no nightly comparison. */
export async function getScheduleView(ctx: Context, projectId: string): Promise<ScheduleView> {
  const row = await findSchedule(ctx, projectId)
  if (!row) throw notFound('nightly comparison')
  const revisions = await listRevisions(ctx, projectId, [row.id])
  return toScheduleView(row, revisions.get(row.id) ?? 1)
}
