import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { describePeople, type ListedPerson } from '../../people/directory/list'
import type { ProjectState } from '../../projects/project/state'
import { computeAnalysis } from './analysis'
import { computeMembers } from './compute'
import { isFresh, notYet, waitFor } from './keeping'
import { environmentOf } from './model'
import { type CohortRow, findCohort, listAllCohorts, pageMembers } from './queries'
import type { RetentionRow } from './retention'

/** A page of the people of a cohort, the newest subscriber first; its members are found again when that is due. */
export async function listMembers(
  ctx: Context,
  project: ProjectState,
  id: string,
  page: Page,
): Promise<Paged<ListedPerson>> {
  const { listId, definition } = await freshMembers(ctx, project.id, id)
  const { items, hasMore } = await paged(page, (limit) => pageMembers(ctx, listId, { ...page, limit }))
  return { items: await describePeople(ctx, project, items, environmentOf(definition)), hasMore }
}

export interface CohortAnalysis {
  rows: RetentionRow[]
  computedAt: number
}

/** How many of the people of a cohort were paid 0, 1, 2 ... months after they became members. */
export async function analyseCohort(ctx: Context, projectId: string, id: string): Promise<CohortAnalysis> {
  const known = await requireCohort(ctx, projectId, id)
  await waitFor(refreshAnalysis(ctx, known), known.analysis !== null)
  const { analysis, analysedAt } = await requireCohort(ctx, projectId, id)
  if (analysis === null || analysedAt === null) throw notYet()
  return { rows: analysis, computedAt: analysedAt }
}

async function refreshAnalysis(ctx: Context, cohort: CohortRow): Promise<void> {
  const { computedAt, tookMs, analysedAt, analysisTookMs } = cohort
  if (isFresh(analysedAt, analysisTookMs, ctx.clock.now())) return
  if (!isFresh(computedAt, tookMs, ctx.clock.now())) await computeMembers(ctx, cohort)
  await computeAnalysis(ctx, cohort)
}

/**
 * What names the members of the cohort with this identifier or id in `cohort_members`, after they were found, now or a
 * short while ago; null = there is no such cohort.
 */
export async function findMemberList(ctx: Context, projectId: string, name: string): Promise<string | null> {
  const cohorts = await listAllCohorts(ctx, projectId)
  const found = cohorts.find(({ identifier }) => identifier === name) ?? cohorts.find(({ id }) => id === name)
  return found ? (await freshMembers(ctx, projectId, found.id)).listId : null
}

/** The cohort after its members were found, now or a short while ago. */
async function freshMembers(ctx: Context, projectId: string, id: string): Promise<CohortRow> {
  const known = await requireCohort(ctx, projectId, id)
  if (isFresh(known.computedAt, known.tookMs, ctx.clock.now())) return known
  await waitFor(computeMembers(ctx, known), known.computedAt !== null)
  const cohort = await requireCohort(ctx, projectId, id)
  if (cohort.computedAt === null) throw notYet()
  return cohort
}

async function requireCohort(ctx: Context, projectId: string, id: string): Promise<CohortRow> {
  const row = await findCohort(ctx, projectId, id)
  if (!row) throw notFound('cohort', id)
  return row
}
