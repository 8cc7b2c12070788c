import type { Context } from '../../base/context'
import { localDays } from '../../base/lib/local-days'
import type { ProjectState } from '../../projects/project/state'
import { fastMonths } from '../figures/fast-months'
import { type Life, readLives } from '../figures/lives'
import { netOfPayers } from '../figures/people'
import type { FigureRequest } from '../figures/scope'
import type { SumScope } from '../figures/sums'
import { readAsked } from './asked'
import { ltvValues } from './ltv'
import { moneyIn } from './metric'
import { retentionValues } from './retention'
import type { MetricAnswer } from './service'

/** Lifetime value of the payers of each cell, and of those of the whole window. */
export const readLtv = (ctx: Context, request: FigureRequest): Promise<MetricAnswer> =>
  readAsked(ctx, request, async (handle, scope, { cell, report }) => {
    const values = ltvValues(await netOfPayers(handle, scope, cell))
    return report ? moneyIn(report.rate, values) : values
  })

/** How long those who began in each cell stay. The whole window is one cohort more. */
export function readRetention(ctx: Context, project: ProjectState, request: FigureRequest): Promise<MetricAnswer> {
  const days = fastMonths(localDays(project.timezone))
  const read = new Map<SumScope, Promise<Life[]>>() // The cells of a group are of the same lives.
  return readAsked(ctx, request, async (handle, scope, { cell }) => {
    const lives = read.get(scope) ?? readLives(handle, scope)
    read.set(scope, lives)
    const until = Math.min(scope.now, scope.knownBefore ?? scope.now)
    return retentionValues(await lives, cell, days, until)
  })
}
