import type { Context } from '../../base/context'
import { readScoped } from '../clickhouse/numbers'
import { settledFor } from '../figures/kept/bases'
import type { GroupKey } from '../figures/kept/counts'
import { lifeOf, listLifeEntries } from '../figures/kept/life-entries'
import { eachPart } from '../figures/kept/parts'
import type { FigureRequest } from '../figures/scope'
import type { SumScope } from '../figures/sums'
import { agesOf } from './ages'
import { askGroups } from './asked'
import type { ChartFigures } from './chart'
import { LifeSeries } from './life-series'
import type { Reckon } from './reckoner'

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
  const { scope, cells, window } = request
  const whole = await seriesByGroup(ctx, request, { ...scope, groupBy: null }, question)
  const byGroup = scope.groupBy === null ? null : await seriesByGroup(ctx, request, scope, question)
  const none = () => new LifeSeries(cells, window, question.reckon(agesOf(scope)))
  return readScoped(ctx, scope, (handle) =>
    askGroups(handle, request, async (own, group) => {
      const series = (own.scope.groupBy === null ? whole : byGroup)?.get(group) ?? none()
      return series.read()
    }),
  )
}

async function seriesByGroup<Digest>(
  ctx: Context,
  { cells, window }: FigureRequest,
  scope: SumScope,
  { reckon, isOfAllTimes }: LifeQuestion<Digest>,
): Promise<Map<GroupKey, LifeSeries<Digest>>> {
  const settled = scope.kept?.settled ?? null
  const version = await ctx.storage.readInThread((handle) => settledFor(handle, { settled }))
  const found = new Map<GroupKey, LifeSeries<Digest>>()
  const isAsked = (at: number) => isOfAllTimes || (at >= window.start && at < window.end)
  await eachPart(ctx, { scope, version, read: (handle, ids) => listLifeEntries(handle, scope, ids) }, (entries) => {
    for (const [group, own] of Map.groupBy(entries, (entry) => entry.group)) {
      const series = found.get(group) ?? new LifeSeries(cells, window, reckon(agesOf(scope)))
      found.set(group, series)
      for (const [purchaseId, some] of Map.groupBy(own, (entry) => entry.purchaseId)) {
        const life = lifeOf(purchaseId, some)
        if (life && isAsked(life.firstChargedAt)) series.add(life)
      }
    }
  })
  return found
}
