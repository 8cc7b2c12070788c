import type { Tier } from '../../base/config-cloud'
import type { Context } from '../../base/context'
import { toIsoOrNull } from '../../base/lib/time'
import { findBillingAccount } from '../../projects/billing/account-queries'
import { type Standing, standingAt } from '../../projects/billing/life'
import { isProjectLocked, listPlanChanges, requireCloud } from '../../projects/billing/service'
import { higherOf, tierAt } from '../../projects/billing/tier'

/** How the project is billed. */
export async function readBilling(ctx: Context, projectId: string) {
  const cloud = requireCloud(ctx)
  const account = await findBillingAccount(ctx, projectId)
  const now = ctx.clock.now()
  const standing = standingAt(account.life, now + account.leadMs)
  const byHand = tierAt(await listPlanChanges(ctx, projectId), now)
  const tier = higherOf(standing.tier, byHand)
  return {
    tier,
    state: stateOf(standing, byHand, account.closedSubscription),
    pendingTier: standing.pendingTier,
    renewsAt: toIsoOrNull(standing.renewsAt),
    cancelAt: toIsoOrNull(standing.cancelAt),
    pausedAt: toIsoOrNull(standing.pausedAt),
    cardNeededBy: toIsoOrNull(account.cardNeededBy),
    locked: await isProjectLocked(ctx, projectId),
    publishableKey: typeof cloud.provider === 'object' ? (cloud.provider?.publishableKey ?? null) : null,
  }
}

/** A subscription that was closed for want of payment has ended, so its project would be FREE otherwise. */
function stateOf({ state, subscriptionId }: Standing, byHand: Tier, closed: string | null) {
  const isClosed = closed !== null && closed === subscriptionId && (state === 'FREE' || state === 'PAUSED')
  if (state === 'FREE' && byHand !== 'FREE') return 'ACTIVE' as const
  return isClosed ? ('DELETED' as const) : state
}
