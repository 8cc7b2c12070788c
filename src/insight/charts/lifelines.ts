import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { type LocalDays, localDays } from '../../base/lib/local-days'
import type { Cell } from '../figures/cells'
import { narrowed } from '../figures/kept/read'
import { isOfLives, type Life, readLives } from '../figures/lives'
import type { FigureRequest } from '../figures/scope'
import { readFigures } from '../figures/series'
import { counted, type SumScope } from '../figures/sums'
import type { AskedChart, ChartFigures, ChartRow, ChartSeries, ChartValues, ReadRows } from './chart'
import { ENTRY_FILTERS } from './chart'

/** A subscription from its first charge on, with its money. */
export interface Lifeline extends Life {
  /** Ascending; charges less what was given back, USD micros. */
  net: { at: number; micros: number }[]
}

/** What decides how old a subscription is, and up to when something is known. */
export interface Ages {
  days: LocalDays
  until: number
}

const agesOf = ({ timezone = 'UTC', now, knownBefore }: SumScope): Ages => ({
  days: localDays(timezone),
  until: untilOf({ now, knownBefore }),
})

/** The last instant about which something is known. */
export const untilOf = ({ now, knownBefore }: Pick<SumScope, 'now' | 'knownBefore'>): number =>
  knownBefore === null ? now : Math.min(now, knownBefore - 1)

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

/**
 * Reckons the values of those that were first charged in a cell. `all` are those of the window, or of all times.
 */
export type LifeValues = (all: readonly Lifeline[], ages: Ages) => (own: readonly Lifeline[]) => ChartValues

interface LifeChart extends Omit<AskedChart, 'ask' | 'filters'> {
  valuesOf: LifeValues
  isOfAllTimes?: boolean
}

/** A chart of cohorts: of subscriptions by their first charge above zero. It takes every filter. */
export const lifeChart = ({ valuesOf, isOfAllTimes = false, ...about }: LifeChart): AskedChart => ({
  ...about,
  filters: ENTRY_FILTERS,
  ask: async (handle, request) => {
    const { scope, window } = request
    const whole = { ...scope, groupBy: null }
    const ask = async (own: SumScope) =>
      seriesOf(await readLifelines(handle, own, isOfAllTimes ? null : window), request, own, valuesOf)
    const [sums] = await readFigures(handle, whole, [window])
    const figures: ChartFigures = { ...(await ask(whole)), unconverted: sums?.total.sums.unconverted ?? 0 }
    if (scope.groupBy === null) return figures
    const groups = []
    for (const { group } of await readFigures(handle, scope, [window]))
      groups.push({ key: group, ...(await ask(narrowed(scope, scope.groupBy, group))) })
    return { ...figures, groups }
  },
})

function seriesOf(
  lives: readonly Lifeline[],
  { cells, window }: FigureRequest,
  scope: SumScope,
  valuesOf: LifeValues,
): ChartSeries {
  const reckon = valuesOf(lives, agesOf(scope))
  const ask = ({ start, end }: Cell) => reckon(lives.filter(({ firstChargedAt: at }) => at >= start && at < end))
  return { series: cells.map((cell) => ({ start: cell.start, values: ask(cell) })), totals: ask(window) }
}

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
