import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import type { AuditEntry } from '../../projects/audit/audit'
import { listRevisionsWith, requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { conflict, editDashboard, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import { countViews, deleteViewRow, findView, insertView, pageViews, type ViewRow } from './queries'
import { MOST_VIEWS, viewFaults } from './rules'

export interface ViewInput {
  name: string
  chartId: string
  params: Record<string, unknown>
}

export type ChartView = ReturnType<typeof toView>

/** The saved views of a project, the newest first. */
export async function listViews(ctx: Context, projectId: string, page: Page): Promise<Paged<ChartView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'cvw')
  const { items, hasMore } = await paged(page, (limit) => pageViews(ctx, projectId, { ...page, limit }))
  return { items: items.map((row) => toView(row, revisions.get(row.id) ?? 1)), hasMore }
}

/** 400 `VALIDATION_ERROR`; 409 `CONFLICT` for the 201st. */
export const createView = (ctx: Context, by: ProjectActor, input: ViewInput): Promise<ChartView> =>
  editDashboard(ctx, by, async (edit) => {
    const { tx, projectId, now } = edit
    refuseFaults(viewFaults(input))
    if ((await countViews(tx, projectId)) >= MOST_VIEWS)
      throw conflict(`A project has at most ${MOST_VIEWS} saved views; delete some first`)
    const row = { id: tx.ids.next('cvw'), projectId, ...input, createdAt: now, updatedAt: now }
    await insertView(tx, row)
    edit.entries.push(entry('create', null, row))
    return toView(row, await revisionAfter(edit, row.id))
  })

/** 404 when there is no such view, so also when it is repeated. */
export const deleteView = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    const row = await findView(tx, projectId, id)
    if (!row) throw notFound('saved view', id)
    await requireRevision(tx, projectId, id, by.expected ?? null)
    await deleteViewRow(tx, id)
    entries.push(entry('delete', row, null))
  })

const toView = ({ id, name, chartId, params, createdAt, updatedAt }: ViewRow, revision: number) => ({
  ...{ id, name, chartId, params },
  ...{ revision, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) },
})

const entry = (verb: string, before: ViewRow | null, after: ViewRow | null): AuditEntry => ({
  action: `chartView.${verb}`,
  target: { type: 'chartView', id: (after ?? before)?.id ?? '' },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

const imageOf = ({ name, chartId, params }: ViewRow) => ({ name, chartId, params })
