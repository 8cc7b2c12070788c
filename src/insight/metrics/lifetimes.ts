import type { Context } from '../../base/context'
import { type LocalDays, localDays } from '../../base/lib/local-days'
import type { ProjectState } from '../../projects/project/state'
import { ltvValues } from '../charts/lifetime-values'
import type { Cell } from '../figures/cells'
import { fastMonths } from '../figures/fast-months'
import { isPaidAt, type Life, readLives } from '../figures/lives'
import { netOfPayers } from '../figures/people'
import type { FigureRequest } from '../figures/scope'
import type { SumScope } from '../figures/sums'
import { readAsked } from './asked'
import { type MetricAnswer, type MetricValues, moneyIn } from './service'

/** Lifetime value of the payers of each cell, and of those of the whole window. */
export const readLtv = (ctx: Context, request: FigureRequest): Promise<MetricAnswer> =>
  readAsked(ctx, request, async (handle, scope, { cell, report }) => {
    const values = ltvValues(await netOfPayers(handle, scope, cell))
    return report ? moneyIn(report.rate, values) : values
  })

/** How long those who started in each cell stay. The whole window is one cohort more. */
export function readRetention(ctx: Context, project: ProjectState, request: FigureRequest): Promise<MetricAnswer> {
  const days = fastMonths(localDays(project.timezone))
  const read = new Map<SumScope, Promise<Life[]>>() // The cells of a group are of the same lives.
  return readAsked(ctx, request, async (handle, scope, { cell }) => {
    const lives = read.get(scope) ?? inOrder(readLives(handle, scope))
    read.set(scope, lives)
    const until = Math.min(scope.now, scope.knownBefore ?? scope.now)
    return retentionValues(await lives, cell, days, until)
  })
}

const inOrder = async (lives: Promise<Life[]>): Promise<Life[]> =>
  (await lives).sort((a, b) => a.firstChargedAt - b.firstChargedAt)

/**
 * @param lives those of all cells, in the order of their first charges
 * @param now the last instant about which something is known
 */
export function retentionValues(lives: readonly Life[], cell: Cell, days: LocalDays, now: number): MetricValues {
  const cohort = lives.slice(firstFrom(lives, cell.start), firstFrom(lives, cell.end))
  const shares: number[] = []
  for (let months = 0; cohort.length > 0; months++) {
    const instants = cohort.map((life) => ({ life, at: days.plusMonths(life.firstChargedAt, months) }))
    if (instants.some(({ at }) => at > now)) break
    shares.push(instants.filter(({ life, at }) => isPaidAt(life, at)).length / cohort.length)
  }
  return { size: cohort.length, shares }
}

/** The place of the first life that started at or after an instant. */
function firstFrom(lives: readonly Life[], at: number): number {
  let [low, high] = [0, lives.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((lives[middle]?.firstChargedAt ?? at) < at) low = middle + 1
    else high = middle
  }
  return low
}
