import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { integerAt, type Position } from '../../base/http/list'
import { listCountries } from '../../people/purchases/list-queries'
import { toPersonRef } from '../../people/purchases/person-ref'
import { listRowsById, type SubscriberRow } from '../../people/subscribers/service'
import { findProject } from '../../projects/project/service'
import type { PurchaseEnvironment } from '../../stores/observation'
import { isFresh, notYet, waitFor } from '../cohorts/keeping'
import { type Computation, computeResult, PAGE } from './compute'
import type { StoredEntry } from './model'
import {
  findLeaderboard,
  findNewestResult,
  findResult,
  type LeaderboardRow,
  listPages,
  type ResultRow,
} from './queries'
import { windowStart } from './window'

export interface EntryPage {
  entries: { rank: number; value: bigint; row: SubscriberRow }[]
  /** The result and the number of entries before the next page; null at the end. */
  next: Position | null
}

interface EntryQuestion {
  environment: PurchaseEnvironment
  after: Position | null
  limit: number
}

/**
 * A page of a leaderboard. It is computed again when that is due; the pages that follow are of the same computation, so
 * that no person is on two of them. People who were merged or erased since are left out.
 */
export async function listEntries(
  ctx: Context,
  projectId: string,
  id: string,
  { environment, after, limit }: EntryQuestion,
): Promise<EntryPage> {
  const board = await findLeaderboard(ctx, projectId, id)
  if (!board) throw notFound('leaderboard', id)
  const result = after === null ? await freshResult(ctx, board, environment) : await resultAt(ctx, board, after)
  const start = after === null ? 0 : integerAt(after, 1)
  const stored = await readStored(ctx, result.id, start, limit)
  const people = await livePeople(ctx, projectId, stored)
  const entries = stored.flatMap(([subscriberId, value, rank]) => {
    const row = people.get(subscriberId)
    return row ? [{ rank, value: BigInt(value), row }] : []
  })
  const end = start + limit
  return { entries, next: end < result.size ? [result.id, end] : null }
}

/** The entries with the names of their people. */
export async function namedEntries(ctx: Context, entries: EntryPage['entries']) {
  const countries = await listCountries(
    ctx,
    entries.map(({ row }) => row.id),
  )
  return entries.map((entry) => ({ ...entry, person: toPersonRef(entry.row, countries.get(entry.row.id) ?? null) }))
}

async function freshResult(ctx: Context, board: LeaderboardRow, environment: PurchaseEnvironment): Promise<ResultRow> {
  const now = ctx.clock.now()
  const project = await findProject(ctx, board.projectId)
  const from = windowStart(board.window, project?.timezone ?? 'UTC', now)
  const computation: Computation = { board, environment, from }
  const known = await findNewestResult(ctx, board.id, environment, from)
  if (known && isFresh(known.computedAt, known.tookMs, now)) return known
  await waitFor(computeResult(ctx, computation), known !== null)
  const result = await findNewestResult(ctx, board.id, environment, from)
  if (!result) throw notYet()
  return result
}

/** The result of the page before; 400 when it is gone, or when the client has made the cursor up. */
async function resultAt(ctx: Context, board: LeaderboardRow, after: Position): Promise<ResultRow> {
  const result = await findResult(ctx, String(after[0]))
  if (result?.leaderboardId === board.id) return result
  throw invalid('cursor: the leaderboard was computed again since; begin again without it')
}

async function readStored(ctx: Context, resultId: string, start: number, limit: number): Promise<StoredEntry[]> {
  const first = Math.floor(start / PAGE)
  const last = Math.floor((start + limit - 1) / PAGE)
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const entries = (await listPages(ctx, resultId, numbers)).flat()
  return entries.slice(start - first * PAGE, start - first * PAGE + limit)
}

async function livePeople(
  ctx: Context,
  projectId: string,
  stored: readonly StoredEntry[],
): Promise<Map<string, SubscriberRow>> {
  const ids = stored.map(([subscriberId]) => subscriberId)
  const rows = await listRowsById(ctx, projectId, ids)
  const live = rows.filter(({ mergedInto, erasedAt }) => mergedInto === null && erasedAt === null)
  return new Map(live.map((row) => [row.id, row]))
}
