import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import { narrowed } from '../figures/kept/read'
import { isOfLives, type Life, readLives } from '../figures/lives'
import { counted, type SumScope } from '../figures/sums'
import { agesOf, askAllLives } from './all-lives'
import { askGroups } from './asked'
import { type AskedChart, type ChartRow, FILTER_NAMES, type ReadRows } from './chart'
import { LifeSeries } from './life-series'
import type { Ages, Lifeline, Reckon } from './reckoner'

/** Subscriptions that were first charged in a window; null = ever. Reads many rows, so it runs in `readInThread`. */
export async function readLifelines(handle: Handle, scope: SumScope, began: Cell | null): Promise<Lifeline[]> {
  const { figureEntries: f } = handle.tables
  const lives = new Map((await readLives(handle, scope, began)).map((life) => [life.purchaseId, withMoney(life)]))
  const micros = sql<number | string>`sum(${f.gross} - ${f.refunds})`
  const moved = await handle.db
    .select({ purchaseId: f.purchaseId, at: f.at, micros })
    .from(f)
    .where(and(counted(f, scope), eq(f.kind, 'LINE'), isOfLives(handle, scope, began)))
    .groupBy(f.purchaseId, f.at)
    .having(ne(micros, 0))
    .orderBy(f.at)
  for (const one of moved) lives.get(one.purchaseId)?.net.push({ at: one.at, micros: Number(one.micros) })
  return [...lives.values()]
}

const withMoney = (life: Life): Lifeline => ({ ...life, net: [] })

interface LifeChart<Digest> extends Omit<AskedChart, 'ask' | 'filters'> {
  reckon: Reckon<Digest>
  isOfAllTimes?: boolean
}

/** A chart of cohorts: of subscriptions by their first charge above zero. It takes every filter. */
export const lifeChart = <Digest>({ reckon, isOfAllTimes = false, ...about }: LifeChart<Digest>): AskedChart => ({
  ...about,
  filters: FILTER_NAMES,
  isOfLives: true,
  ask: (handle, request) =>
    askGroups(handle, request, async ({ scope, cells, window }, group) => {
      const own = scope.groupBy === null ? scope : narrowed(scope, scope.groupBy, group)
      const series = new LifeSeries(cells, window, reckon(agesOf(own)))
      for (const life of await readLifelines(handle, own, isOfAllTimes ? null : window)) series.add(life)
      return series.read()
    }),
  askAll: (ctx, request) => askAllLives(ctx, request, { reckon, isOfAllTimes }),
})

/** A row for each subscription of a cell to which there is anything to say, by its first charge. */
export const lifeRows =
  (contributionOf: (life: Lifeline, ages: Ages) => number): ReadRows =>
  async (handle, scope, cell, { after, limit }) => {
    const ages = agesOf(scope)
    const rows = (await readLifelines(handle, scope, cell))
      .map((life) => ({ ...life, at: life.firstChargedAt, contribution: contributionOf(life, ages) }))
      .filter(({ contribution }) => contribution !== 0)
      .sort((a, b) => b.at - a.at || (a.purchaseId < b.purchaseId ? 1 : -1))
      .filter(({ at, purchaseId: id }) => !after || at < after.at || (at === after.at && id < after.tie))
    return describe(handle, rows.slice(0, limit))
  }

async function describe(
  handle: Handle,
  rows: readonly { purchaseId: string; at: number; contribution: number }[],
): Promise<ChartRow[]> {
  if (rows.length === 0) return []
  const { figureEntries: f, purchases: p } = handle.tables
  const ids = rows.map(({ purchaseId }) => purchaseId)
  const about = { id: p.id, subscriberId: p.subscriberId, store: p.store, product: f.product }
  const found = await handle.db
    .select(about)
    .from(p)
    .innerJoin(f, eq(f.purchaseId, p.id))
    .where(inArray(p.id, ids))
    .orderBy(desc(f.position))
  const aboutOf = new Map(found.map((one) => [one.id, one]))
  return rows.map(({ purchaseId, at, contribution }) => {
    const known = aboutOf.get(purchaseId)
    return {
      ...{ purchaseId, transactionId: null, subscriberId: known?.subscriberId ?? null, at },
      ...{ productIdentifier: known?.product ?? null, store: known?.store ?? null, contribution, tie: purchaseId },
    }
  })
}
