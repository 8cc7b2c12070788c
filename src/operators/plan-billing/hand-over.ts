import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { type BillingAccount, changeBillingAccount, findCustomer } from '../../projects/billing/account-queries'
import type { Standing } from '../../projects/billing/life'
import { listOwners } from '../members/service'
import { requireProvider } from './choose-provider'
import { ownCustomer } from './owner'

export interface Cared {
  projectId: string
  account: BillingAccount
  standing: Standing
  /** By the clock of the provider. */
  now: number
}

const CARD_NEEDED_MS = 14 * DAY

/**
 * After a transfer the subscription is that of a former owner. The new owner has 14 days to add a card: then a new
 * subscription starts at the end of the paid period. Without a card the plan ends then.
 */
export async function handOver(ctx: Context, cared: Cared): Promise<void> {
  const { projectId, account, standing, now } = cared
  const { state, customerId, subscriptionId, cancelAt } = standing
  const isForeign = state !== 'FREE' && customerId !== null && (await isOfFormerOwner(ctx, projectId, customerId))
  // What its owner cancelled before the transfer ends as they wanted.
  const isCancelled = cancelAt !== null && account.cardNeededBy === null
  if (!isForeign || isCancelled || subscriptionId === null) return setNeeded(ctx, cared, null)
  const neededBy = account.cardNeededBy ?? now + CARD_NEEDED_MS
  await setNeeded(ctx, cared, neededBy)
  if (await takeOver(ctx, cared, subscriptionId)) return setNeeded(ctx, cared, null, neededBy)
  if (neededBy <= now && cancelAt === null) await requireProvider(ctx, projectId).setCancelled(subscriptionId, true)
}

async function setNeeded(
  ctx: Context,
  { projectId, account }: Cared,
  cardNeededBy: number | null,
  saved = account.cardNeededBy,
): Promise<void> {
  if (saved !== cardNeededBy) await ctx.write((tx) => changeBillingAccount(tx, projectId, { cardNeededBy }))
}

async function isOfFormerOwner(ctx: Context, projectId: string, customerId: string): Promise<boolean> {
  const owners = await listOwners(ctx, projectId)
  const customer = await findCustomer(ctx, customerId)
  return customer !== null && owners.length > 0 && !owners.some(({ userId }) => userId === customer.ownerId)
}

/** True when the new owner has a card, which pays for the plan from then on. */
async function takeOver(ctx: Context, { projectId, standing, now }: Cared, subscriptionId: string): Promise<boolean> {
  const { state, tier, pendingTier, renewsAt, cancelAt } = standing
  const customer = await ownCustomer(ctx, projectId)
  const provider = requireProvider(ctx, projectId)
  const cards = customer ? await provider.listCards(customer.id) : null
  const cardId = cards?.defaultId ?? cards?.cards[0]?.id
  if (!customer || cardId === undefined || state !== 'ACTIVE') return false
  const startsAt = Math.max(renewsAt ?? cancelAt ?? now, now)
  const key = `svc-takeover-${subscriptionId}-${customer.id}`
  // First the old one: if this process ends here, no one is charged twice.
  if (cancelAt === null) await provider.setCancelled(subscriptionId, true)
  await provider.subscribe({ customerId: customer.id, tier: pendingTier ?? tier, cardId, startsAt, key })
  return true
}
