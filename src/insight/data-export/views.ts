import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { listRevisions } from '../../projects/audit/revisions'
import { type RunView, type ScheduleView, toRunView, toScheduleView } from './admin-wire'
import { findLastRun, pageRuns, pageSchedules } from './queries'

/** The schedules of a project, newest first. */
export async function listScheduleViews(ctx: Context, projectId: string, page: Page): Promise<Paged<ScheduleView>> {
  const { items, hasMore } = await paged(page, (limit) => pageSchedules(ctx, projectId, { ...page, limit }))
  const ids = items.map(({ id }) => id)
  const revisions = await listRevisions(ctx, projectId, ids)
  const last = await Promise.all(ids.map((id) => findLastRun(ctx, projectId, id)))
  const views = items.map((row, index) => toScheduleView(row, last[index] ?? null, revisions.get(row.id) ?? 1))
  return { items: views, hasMore }
}

/** The exports of a project, those of schedules and single ones, newest first. */
export async function listRunViews(ctx: Context, projectId: string, page: Page): Promise<Paged<RunView>> {
  const { items, hasMore } = await paged(page, (limit) => pageRuns(ctx, projectId, { ...page, limit }))
  return { items: items.map(toRunView), hasMore }
}
