import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid } from '../../base/errors'
import { currentPlan } from '../billing/service'
import { editDashboard, isSame, type ProjectActor } from '../project/edit'
import { monthOf } from '../usage/month'
import { countUsage, readLimitedUse } from '../usage/service'
import { type Budget, type EventUse, isStopped, NO_BUDGET } from './marks'
import { findBudget, saveBudget } from './queries'

type Reader = Handle & Pick<Context, 'clock' | 'config'>

export const readBudget = async (handle: Handle, projectId: string): Promise<Budget> =>
  (await findBudget(handle, projectId)) ?? NO_BUDGET

/** What the present month has used of the events that the plan of a project includes. */
export async function readEventUse(reader: Reader, projectId: string): Promise<EventUse> {
  const plan = await currentPlan(reader, projectId)
  const included = plan?.meters.find(({ name }) => name === 'events')?.included ?? null
  const { events = 0 } = await readLimitedUse(reader, projectId, monthOf(reader.clock.now()))
  return { used: events, included }
}

/** Replaces the budget. 400 for a stop where the plan includes events without a limit. */
export const changeBudget = (ctx: Context, by: ProjectActor, given: Budget): Promise<Budget> =>
  editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    const { included } = await readEventUse(tx, projectId)
    if (given.stopTelemetryAt !== null && included === null)
      throw invalid('stopTelemetryAt must be null: the plan includes events without a limit')
    const before = await readBudget(tx, projectId)
    const after = { ...given, alertsAt: given.alertsAt.toSorted((a, b) => a - b) }
    if (isSame(before, after)) return before
    await saveBudget(tx, projectId, after)
    tx.afterCommit(() => tx.state.budgetStops.forget(projectId))
    entries.push({ action: 'budget.update', target: { type: 'budget', id: projectId }, before, after })
    return after
  })

/**
 * Whether telemetry of a project is dropped now, because it has used more than its budget. Then so many events are counted
 * as dropped, and the caller saves none of them.
 */
export async function dropOverBudget(ctx: Context, projectId: string, events: number): Promise<boolean> {
  if (!ctx.config.cloud) return false
  const budget = await ctx.state.budgetStops.read(projectId)
  if (budget.stopTelemetryAt === null || !isStopped(budget, await readEventUse(ctx, projectId))) return false
  await ctx.write((tx) => countUsage(tx, projectId, 'droppedTelemetry', tx.clock.now(), events))
  return true
}
