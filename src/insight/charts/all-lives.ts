import type { Context } from '../../base/context'
import { localDays } from '../../base/lib/local-days'
import { readScoped } from '../clickhouse/numbers'
import { fastMonths } from '../figures/fast-months'
import { settledFor } from '../figures/kept/bases'
import type { GroupKey } from '../figures/kept/counts'
import { type LifeEntry, lifeOf, listLifeEntries } from '../figures/kept/life-entries'
import { eachPart } from '../figures/kept/parts'
import type { FigureRequest } from '../figures/scope'
import type { SumScope } from '../figures/sums'
import { askGroups } from './asked'
import type { ChartFigures } from './chart'
import { LifeSeries } from './life-series'
import type { Ages, Reckon } from './reckoner'

interface LifeQuestion<Digest> {
  reckon: Reckon<Digest>
  isOfAllTimes: boolean
}

/** The answer of a chart of cohorts, in one pass over all subscriptions. */
export async function askAllLives<Digest>(
  ctx: Context,
  request: FigureRequest,
  question: LifeQuestion<Digest>,
): Promise<ChartFigures> {
  const { scope } = request
  const { whole, byGroup, begin } = await collectAll(ctx, request, question)
  return readScoped(ctx, scope, (handle) =>
    askGroups(handle, request, async (own, group) =>
      (own.scope.groupBy === null ? whole : (byGroup.get(group) ?? begin())).read(),
    ),
  )
}

async function collectAll<Digest>(
  ctx: Context,
  { scope, cells, window }: FigureRequest,
  { reckon, isOfAllTimes }: LifeQuestion<Digest>,
) {
  // Nothing is derived from this answer, so it may be of what is committed now, whatever commits late.
  const version = await ctx.storage.readInThread((handle) => settledFor(handle, { settled: null }))
  const begin = () => new LifeSeries(cells, window, reckon(agesOf(scope)))
  const [whole, byGroup] = [begin(), new Map<GroupKey, LifeSeries<Digest>>()]
  const collect = (series: LifeSeries<Digest>, entries: readonly LifeEntry[]) => {
    for (const [purchaseId, own] of Map.groupBy(entries, (entry) => entry.purchaseId)) {
      const life = lifeOf(purchaseId, own)
      const at = life?.firstChargedAt ?? Number.NaN
      if (life && (isOfAllTimes || (at >= window.start && at < window.end))) series.add(life)
    }
  }
  await eachPart(ctx, { scope, version, read: (handle, ids) => listLifeEntries(handle, scope, ids) }, (entries) => {
    collect(whole, entries)
    if (scope.groupBy === null) return
    for (const [group, own] of Map.groupBy(entries, (entry) => entry.group)) {
      const series = byGroup.get(group) ?? begin()
      byGroup.set(group, series)
      collect(series, own)
    }
  })
  return { whole, byGroup, begin }
}

export const agesOf = ({ timezone = 'UTC', now, knownBefore }: SumScope): Ages => ({
  days: fastMonths(localDays(timezone)),
  until: untilOf({ now, knownBefore }),
})

/** The last instant about which something is known. */
export const untilOf = ({ now, knownBefore }: Pick<SumScope, 'now' | 'knownBefore'>): number =>
  knownBefore === null ? now : Math.min(now, knownBefore - 1)
