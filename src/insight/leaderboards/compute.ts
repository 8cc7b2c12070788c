import type { Context } from '../../base/context'
import type { Awaited } from '../../base/jobs/shared-work'
import { MINUTE, monotonicMs } from '../../base/lib/clock'
import { canonicalJson } from '../../base/lib/hash'
import { contextInTurn } from '../../base/turn-context'
import { rangeOf } from '../../people/events/range'
import type { PurchaseEnvironment } from '../../stores/observation'
import { readStep } from '../clickhouse/numbers'
import { hasEvents } from '../cohorts/model'
import { findRange } from '../cohorts/starts'
import { factsOfRange, factsOfWindow } from './facts'
import { type LeaderboardMeasure, MOST_ENTRIES, type Score, type StoredEntry } from './model'
import type { LeaderboardRow } from './queries'
import * as queries from './queries'

/** How many entries are stored together. */
export const PAGE = 500
/** How many subscribers are looked at in one read, so that other long reads take turns with it. */
const RANGE = 20_000
/** ClickHouse reads all rows of the project each time. */
const CLICKHOUSE_RANGE = 1_000_000
/** How long an earlier result stays for those who read it page by page. */
const KEPT_MS = 10 * MINUTE

/** What is computed: a leaderboard in one environment since an instant (null = since ever). */
export interface Computation {
  board: LeaderboardRow
  environment: PurchaseEnvironment
  from: number | null
}

export const measureOf = ({ metric, currencyId, eventType, window }: LeaderboardRow): LeaderboardMeasure => ({
  ...{ metric, currencyId, eventType, window },
})

const isSameMeasure = (a: LeaderboardRow, b: LeaderboardRow): boolean =>
  canonicalJson(measureOf(a)) === canonicalJson(measureOf(b))

/** Computes and stores a leaderboard, once for everybody who asks at the same time. */
export const computeResult = (ctx: Context, computation: Computation): Promise<void> => {
  const { board, environment, from } = computation
  const name = [board.id, environment, from, canonicalJson(measureOf(board))].join(' ')
  const work = ({ signal, isStopping }: Awaited) =>
    compute(contextInTurn(ctx, { group: board.projectId, signal }), computation, isStopping)
  return ctx.state.leaderboardWork.run(name, work, ctx.turn?.signal)
}

async function compute(ctx: Context, { board, environment, from }: Computation, isStopping: () => boolean) {
  const [computedAt, begunMs] = [ctx.clock.now(), monotonicMs()]
  const scores = await findScores(ctx, { board, environment, from }, computedAt, isStopping)
  if (isStopping()) return
  const pages = inPages(rankScores(scores))
  const tookMs = Math.round(monotonicMs() - begunMs)
  await ctx.write(async (tx) => {
    const saved = await queries.lockLeaderboard(tx, board.projectId, board.id)
    if (!saved || !isSameMeasure(saved, board)) return // It was deleted or changed meanwhile.
    await queries.deleteResults(tx, board.id, computedAt - KEPT_MS)
    const result = { leaderboardId: board.id, environment, computedAt, windowStart: from, tookMs, size: scores.length }
    await queries.insertResult(tx, { id: tx.ids.uuid(), ...result }, pages)
  })
}

function findScores(ctx: Context, computation: Computation, now: number, isStopping: () => boolean): Promise<Score[]> {
  const { board, environment, from } = computation
  if (!hasFacts(board, environment)) return Promise.resolve([])
  return from === null ? scoresOfAll(ctx, computation, now, isStopping) : scoresSince(ctx, computation, from, now)
}

/** Balances and the events of apps have no environment, and count as PRODUCTION. */
const hasFacts = ({ metric, eventType }: LeaderboardRow, environment: PurchaseEnvironment): boolean =>
  metric === 'event' ? hasEvents(eventType ?? '', environment) : metric === 'spend' || environment === 'PRODUCTION'

/** Goes through the subscribers of the project in ranges, and asks each only for those who can be among the first. */
async function scoresOfAll(
  ctx: Context,
  { board, environment }: Computation,
  now: number,
  isStopping: () => boolean,
): Promise<Score[]> {
  const { projectId } = board
  const question = { projectId, measure: measureOf(board), environment, now }
  let top: Score[] = []
  for (let after: string | null = ''; after !== null && !isStopping(); ) {
    const begin: string = after
    const least = top.length < MOST_ENTRIES ? 1n : (top.at(-1)?.value ?? 1n)
    const step = await readStep(ctx, async (handle) => {
      const size = handle.isClickhouse ? CLICKHOUSE_RANGE : RANGE
      const { range, isLast } = await findRange(handle, projectId, begin, size)
      const facts = factsOfRange(handle, question, range)
      const scores = await queries.listTop(handle, projectId, facts, { least, limit: MOST_ENTRIES })
      return { until: isLast ? null : range.until, scores }
    })
    top = mergeScores(top, step.scores, MOST_ENTRIES)
    after = step.until
  }
  return top
}

async function scoresSince(
  ctx: Context,
  { board, environment }: Computation,
  from: number,
  now: number,
): Promise<Score[]> {
  const { projectId } = board
  const question = { projectId, measure: measureOf(board), environment, now }
  const positions = await rangeOf(ctx, projectId, { from, to: now })
  return readStep(ctx, (handle) => {
    const facts = factsOfWindow(handle, question, { from, positions })
    return queries.listTop(handle, projectId, facts, { least: 1n, limit: MOST_ENTRIES })
  })
}

const inPages = (entries: readonly StoredEntry[]): StoredEntry[][] =>
  Array.from({ length: Math.ceil(entries.length / PAGE) }, (_, number) =>
    entries.slice(number * PAGE, (number + 1) * PAGE),
  )

/** The highest value first; of equal values, the subscriber who was created first. */
export const compareScores = (a: Score, b: Score): number =>
  a.value === b.value ? (a.subscriberId < b.subscriberId ? -1 : 1) : a.value > b.value ? -1 : 1

/** The first `most` of two lists of scores in that order. No person is in both. */
export const mergeScores = (a: readonly Score[], b: readonly Score[], most: number): Score[] =>
  [...a, ...b].sort(compareScores).slice(0, most)

/**
 * The scores, which are in order, with their ranks: 1 + the number of people with a higher value. So equal values have
 * one rank, and the next rank is left out: 1, 2, 2, 4.
 */
export function rankScores(scores: readonly Score[]): StoredEntry[] {
  let [rank, last]: [number, bigint | null] = [0, null]
  return scores.map(({ subscriberId, value }, index) => {
    if (value !== last) rank = index + 1
    last = value
    return [subscriberId, String(value), rank]
  })
}
