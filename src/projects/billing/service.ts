import type { CloudConfig, Plan, Tier } from '../../base/config-cloud'
import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError, invalid } from '../../base/errors'
import { toIsoOrNull } from '../../base/lib/time'
import { editDashboard, type ProjectActor } from '../project/edit'
import { type Month, monthBefore, monthOf } from '../usage/month'
import { readLimitedUse } from '../usage/service'
import { findBillingAccount } from './account-queries'
import { type Life, paidOr } from './life'
import { type Included, isLocked, type MonthUse } from './lock'
import { insertPlanChange, listPlanChanges } from './queries'
import { type PlanChange, tierAt } from './tier'

export { listPlanChanges } from './queries'

/** The plans, or 503 where projects are not billed. */
export function requireCloud({ config: { cloud } }: Pick<Context, 'config'>): CloudConfig {
  if (!cloud) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'billing' })
  return cloud
}

export function planOf({ plans }: CloudConfig, tier: Tier): Plan {
  const plan = plans.find((one) => one.tier === tier)
  if (!plan) throw new Error(`no plan has the tier ${tier}`)
  return plan
}

/** The plan of a project now; null where projects are not billed. */
export async function currentPlan(
  { config: { cloud }, clock, ...handle }: Handle & Pick<Context, 'config' | 'clock'>,
  projectId: string,
): Promise<Plan | null> {
  return cloud && planOf(cloud, tierIn(await planHistory(handle, projectId), clock.now()))
}

/** What decides the plan of a project at any instant. */
interface PlanHistory {
  changes: readonly PlanChange[]
  life: Life
  leadMs: number
}

export async function planHistory(handle: Handle, projectId: string): Promise<PlanHistory> {
  const [changes, { life, leadMs }] = await Promise.all([
    listPlanChanges(handle, projectId),
    findBillingAccount(handle, projectId),
  ])
  return { changes, life, leadMs }
}

/** The higher of the plan that was given by hand and the one that was paid for. */
export const tierIn = ({ changes, life, leadMs }: PlanHistory, instant: number): Tier =>
  paidOr(life, instant + leadMs, tierAt(changes, instant))

const includedOf = ({ meters }: Plan): Included =>
  Object.fromEntries(meters.map(({ name, included }) => [name, included]))

/** What the plan of a project included at an instant; nothing is limited where projects are not billed. */
export async function planLimits(ctx: Context, projectId: string, at: number): Promise<Included> {
  const { cloud } = ctx.config
  return cloud ? includedOf(planOf(cloud, tierIn(await planHistory(ctx, projectId), at))) : {}
}

/** Whether the analysis of a project is closed for what it used in the last two completed months. */
export async function isProjectLocked(ctx: Context, projectId: string): Promise<boolean> {
  const { cloud } = ctx.config
  if (!cloud) return false
  const now = ctx.clock.now()
  const history = await planHistory(ctx, projectId)
  const month = monthOf(now)
  const [last, beforeLast] = [monthBefore(month), monthBefore(monthBefore(month))]
  const use = (one: Month, at: number) => useOf(ctx, cloud, history, { projectId, month: one, at })
  return isLocked([await use(beforeLast, beforeLast.end - 1), await use(last, last.end - 1)], await use(month, now))
}

interface UseQuery {
  projectId: string
  month: Month
  at: number
}

async function useOf(
  handle: Handle,
  cloud: CloudConfig,
  history: PlanHistory,
  { projectId, month, at }: UseQuery,
): Promise<MonthUse> {
  const tier = tierIn(history, at)
  const used = await readLimitedUse(handle, projectId, month)
  return { used, tier, included: includedOf(planOf(cloud, tier)) }
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Runs in the transaction that gives a project a plan by hand. */
    onPlanByHand: (tx: Tx, projectId: string) => Promise<void>
  }
}

export interface PlanByHand {
  tier: Tier
  /** Null = until the next change. */
  until: number | null
  note: string
}

/** Gives a project a plan by hand. An end that is over is 400. */
export const setPlan = (ctx: Context, by: ProjectActor, { tier, until, note }: PlanByHand) =>
  editDashboard(ctx, by, async ({ tx, projectId, now, entries }) => {
    requireCloud(ctx)
    if (until !== null && until <= now) throw invalid('until must be in the future')
    const before = tierAt(await listPlanChanges(tx, projectId), now)
    await insertPlanChange(tx, { projectId, changedAt: now, tier, until, note })
    for (const planned of ctx.hooks.onPlanByHand ?? []) await planned(tx, projectId)
    const target = { type: 'project', id: projectId }
    entries.push({
      action: 'project.plan',
      target,
      before: { tier: before },
      after: { tier, until: toIsoOrNull(until), note },
    })
    return { tier, until: toIsoOrNull(until), note }
  })
