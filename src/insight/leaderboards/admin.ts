import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { AppError, notFound } from '../../base/errors'
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
import { nameFaults } from '../cohorts/names'
import { type LeaderboardView, leaderboardEntry, toLeaderboardView } from './admin-view'
import { measureFaults } from './check'
import { measureOf } from './compute'
import { type LeaderboardMeasure, MOST_LEADERBOARDS } from './model'
import type { LeaderboardRow } from './queries'
import * as queries from './queries'

export interface LeaderboardInput extends LeaderboardMeasure {
  identifier: string
  name: string
}

/** The newest first. */
export async function listLeaderboards(ctx: Context, projectId: string, page: Page): Promise<Paged<LeaderboardView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'ldb')
  const { items, hasMore } = await paged(page, (limit) => queries.pageLeaderboards(ctx, projectId, { ...page, limit }))
  const ids = items.map(({ id }) => id)
  const computed = await queries.listComputedAt(ctx, ids)
  const views = items.map((row) => toLeaderboardView(row, computed.get(row.id) ?? null, revisions.get(row.id) ?? 1))
  return { items: views, hasMore }
}

/** 400 `VALIDATION_ERROR`, 409 `IDENTIFIER_TAKEN`, 409 `CONFLICT` for the 51st. */
export const createLeaderboard = (ctx: Context, by: ProjectActor, input: LeaderboardInput): Promise<LeaderboardView> =>
  editDashboard(ctx, by, async (edit) => {
    const { tx, projectId, now } = edit
    const isCurrency = await currencyCheck(edit)
    refuseFaults([...nameFaults(input), ...measureFaults(input, isCurrency)])
    await refuseTaken(edit, input.identifier, null)
    if ((await queries.countLeaderboards(tx, projectId)) >= MOST_LEADERBOARDS)
      throw conflict(`A project has at most ${MOST_LEADERBOARDS} leaderboards; delete some first`)
    const row = { id: tx.ids.next('ldb'), projectId, ...input, createdAt: now, updatedAt: now }
    await queries.insertLeaderboard(tx, row)
    edit.entries.push(leaderboardEntry('create', null, row))
    return toLeaderboardView(row, null, await revisionAfter(edit, row.id))
  })

/** Members that are left out stay. Refusals as for `createLeaderboard`; an archived currency may stay. */
export const updateLeaderboard = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<LeaderboardInput>,
): Promise<LeaderboardView> =>
  editDashboard(ctx, by, async (edit) => {
    const saved = await requireOwn(edit, id, by.expected)
    const row = await writeChange(edit, saved, { ...inputOf(saved), ...given(change) })
    const computedAt = (await queries.listComputedAt(edit.tx, [id])).get(id) ?? null
    return toLeaderboardView(row, computedAt, await revisionAfter(edit, id))
  })

async function writeChange(edit: Edit, saved: LeaderboardRow, input: LeaderboardInput): Promise<LeaderboardRow> {
  const isLive = await currencyCheck(edit)
  const isCurrency = (currencyId: string) => currencyId === saved.currencyId || isLive(currencyId)
  refuseFaults([...nameFaults(input), ...measureFaults(input, isCurrency)])
  if (isSame(inputOf(saved), input)) return saved
  await refuseTaken(edit, input.identifier, saved.id)
  const row = { ...saved, ...input, updatedAt: edit.now }
  await queries.updateLeaderboardRow(edit.tx, saved.id, row)
  if (!isSame(measureOf(saved), measureOf(row))) await queries.deleteResults(edit.tx, saved.id)
  edit.entries.push(leaderboardEntry('update', saved, row))
  return row
}

/** 404 when there is no such leaderboard, so also when it is repeated. */
export const deleteLeaderboard = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editDashboard(ctx, by, async (edit) => {
    const row = await requireOwn(edit, id, by.expected)
    await queries.deleteLeaderboardRow(edit.tx, id)
    await queries.deleteResults(edit.tx, id)
    edit.entries.push(leaderboardEntry('delete', row, null))
  })

const inputOf = (row: LeaderboardRow): LeaderboardInput => ({
  identifier: row.identifier,
  name: row.name,
  ...measureOf(row),
})

/** Whether an id names a currency of the project that is not archived, in the state of the transaction. */
async function currencyCheck({ tx, projectId }: Edit): Promise<(id: string) => boolean> {
  const live = new Set(await queries.listLiveCurrencies(tx, projectId))
  return (id) => live.has(id)
}

/** The leaderboard; no other write stores entries of it before the edit ends. */
async function requireOwn(
  { tx, projectId }: Edit,
  id: string,
  expected: number | null = null,
): Promise<LeaderboardRow> {
  const row = await queries.lockLeaderboard(tx, projectId, id)
  if (!row) throw notFound('leaderboard', id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

async function refuseTaken({ tx, projectId }: Edit, identifier: string, id: string | null): Promise<void> {
  const holder = await queries.findIdentifier(tx, projectId, identifier)
  if (holder !== null && holder !== id) throw new AppError('IDENTIFIER_TAKEN', { resource: 'leaderboard', identifier })
}
