import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { AppError, notFound } from '../../base/errors'
import { enqueue } from '../../base/jobs/queue'
import { settlesWithin } from '../../base/jobs/within'
import { SECOND } from '../../base/lib/clock'
import { listRevisionsWith, requireRevision, revisionAfter } from '../../projects/audit/revisions'
import {
  conflict,
  type Edit,
  editDashboard,
  given,
  isSame,
  type ProjectActor,
  refuseFaults,
} from '../../projects/project/edit'
import { type CohortView, cohortEntry, toCohortView } from './admin-view'
import { type CohortInput, cohortFaults } from './check'
import { computeMembers } from './compute'
import { forgetMembers } from './jobs'
import { MOST_COHORTS } from './model'
import type { CohortRow } from './queries'
import * as queries from './queries'

/** How long a change waits for the members, which are found after it. */
const WAIT_MS = 5 * SECOND

/** The newest first, each with its size when it was last computed. */
export async function listCohorts(ctx: Context, projectId: string, page: Page): Promise<Paged<CohortView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'coh')
  const { items, hasMore } = await paged(page, (limit) => queries.pageCohorts(ctx, projectId, { ...page, limit }))
  return { items: items.map((row) => toCohortView(row, revisions.get(row.id) ?? 1)), hasMore }
}

/** 400 `VALIDATION_ERROR`, 409 `IDENTIFIER_TAKEN`, 409 `CONFLICT` for the 101st. */
export async function createCohort(ctx: Context, by: ProjectActor, input: CohortInput): Promise<CohortView> {
  await refuseFaulty(ctx, by.projectId, input)
  const made = await editDashboard(ctx, by, async (edit) => {
    const { tx, projectId, now } = edit
    await refuseTaken(edit, input.identifier, null)
    if ((await queries.countCohorts(tx, projectId)) >= MOST_COHORTS)
      throw conflict(`A project has at most ${MOST_COHORTS} cohorts; delete some first`)
    const stamps = { createdAt: now, updatedAt: now }
    const row = { id: tx.ids.next('coh'), projectId, ...input, ...uncomputed(edit), ...stamps }
    await queries.insertCohort(tx, row)
    edit.entries.push(cohortEntry('create', null, row))
    return { row, revision: await revisionAfter(edit, row.id) }
  })
  return computed(ctx, made)
}

/** Members that are left out stay; a definition is replaced as a whole. Refusals as for `createCohort`. */
export async function updateCohort(
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<CohortInput>,
): Promise<CohortView> {
  if (!(await queries.findCohort(ctx, by.projectId, id))) throw notFound('cohort', id)
  await refuseFaulty(ctx, by.projectId, change)
  const changed = await editDashboard(ctx, by, async (edit) => {
    const saved = await requireOwn(edit, id, by.expected)
    const row = await writeChange(edit, saved, { ...inputOf(saved), ...given(change) })
    return { row, revision: await revisionAfter(edit, id) }
  })
  return changed.row.computedAt === null ? computed(ctx, changed) : toCohortView(changed.row, changed.revision)
}

async function writeChange(edit: Edit, saved: CohortRow, input: CohortInput): Promise<CohortRow> {
  if (isSame(inputOf(saved), input)) return saved
  await refuseTaken(edit, input.identifier, saved.id)
  const isOther = !isSame(saved.definition, input.definition)
  if (isOther) await enqueue(edit.tx, forgetMembers, { listId: saved.listId })
  // What is computed meanwhile must stay, so only what has changed is written.
  const written = { ...input, ...(isOther && uncomputed(edit)), updatedAt: edit.now }
  await queries.updateCohortRow(edit.tx, saved.id, written)
  const row = { ...saved, ...written }
  edit.entries.push(cohortEntry('update', saved, row))
  return row
}

/** 404 when there is no such cohort, so also when it is repeated. Its members are forgotten in the background. */
export const deleteCohort = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editDashboard(ctx, by, async (edit) => {
    const row = await requireOwn(edit, id, by.expected)
    await queries.deleteCohortRow(edit.tx, id)
    await enqueue(edit.tx, forgetMembers, { listId: row.listId })
    edit.entries.push(cohortEntry('delete', row, null))
  })

const inputOf = ({ identifier, name, definition }: CohortRow): CohortInput => ({ identifier, name, definition })

const uncomputed = ({ tx }: Edit) => ({
  listId: tx.ids.uuid(),
  ...{ size: null, computedAt: null, tookMs: null },
  ...{ analysis: null, analysedAt: null, analysisTookMs: null },
})

/**
 * The view with its size, when the members are found soon; else they are found after the answer. The cohort is saved
 * already, so a failure is left to those who read it: they have the members found again.
 */
async function computed(ctx: Context, { row, revision }: { row: CohortRow; revision: number }): Promise<CohortView> {
  await settlesWithin(Promise.allSettled([computeMembers(ctx, row)]), WAIT_MS)
  const { size, computedAt } = (await queries.findCohort(ctx, row.projectId, row.id)) ?? row
  return toCohortView({ ...row, size, computedAt }, revision)
}

async function refuseFaulty(ctx: Context, projectId: string, input: Partial<CohortInput>): Promise<void> {
  refuseFaults(cohortFaults(await ctx.state.projects.find(projectId), input))
}

/** The cohort; no other write changes its members before the edit ends. */
async function requireOwn({ tx, projectId }: Edit, id: string, expected: number | null = null): Promise<CohortRow> {
  const row = await queries.lockCohort(tx, projectId, id)
  if (!row) throw notFound('cohort', id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

async function refuseTaken({ tx, projectId }: Edit, identifier: string, id: string | null): Promise<void> {
  const holder = await queries.findIdentifier(tx, projectId, identifier)
  if (holder !== null && holder !== id) throw new AppError('IDENTIFIER_TAKEN', { resource: 'cohort', identifier })
}
