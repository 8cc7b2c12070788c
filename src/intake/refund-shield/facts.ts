import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { creditHistory, findGrants } from '../../people/currencies/service'
import { currentAccess } from '../../people/entitlements/service'
import { standingMarkers } from '../../people/purchases/history'
import { findPurchases, listMoneyLines, listStoreTransactions, type PurchaseRow } from '../../people/purchases/holdings'
import { findSubscriber, firstSeenOf, resolveRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { accountTokenOf } from '../../stores/account-token'
import type { PurchaseEnvironment } from '../../stores/observation'
import { ownerOf } from '../recording/held'
import type { ConsumptionFacts } from './consumption'
import { type GrantUse, usedOf } from './credits'
import { lifetimeMoney } from './lifetime'

declare module '../../base/state' {
  interface SliceHooks {
    /** The length of all sessions of a subscriber in milliseconds; null when nothing is known. */
    playTime: (handle: Handle, subscriberId: string) => Promise<number | null>
  }
}

/** A transaction for which a refund is requested, and the known facts about its customer. */
export interface RefundSubject {
  environment: PurchaseEnvironment
  /** The money was refunded already. */
  isRefunded: boolean
  facts: ConsumptionFacts
}

/** Collects the facts for an answer; null when the purchase is unknown or its owner was erased. */
export async function gatherFacts(
  ctx: Context,
  project: ProjectState,
  { purchaseId, transactionId }: { purchaseId: string | null; transactionId: string },
): Promise<RefundSubject | null> {
  const [purchase] = purchaseId === null ? [] : await findPurchases(ctx, project.id, [purchaseId])
  const owner = purchase ? await ownerOf(ctx, purchase) : null
  if (!purchase || owner?.erasedAt !== null) return null
  const { environment } = purchase
  const [transactions, lines, access, credits, firstSeenAt, playTimeMs] = await Promise.all([
    listStoreTransactions(ctx, purchase.id),
    listMoneyLines(ctx, owner.id, environment),
    currentAccess(ctx, project, owner),
    readCredits(ctx, project, purchase, transactionId),
    firstSeenOf(ctx, owner.id),
    readPlayTime(ctx, owner.id),
  ])
  const asked = transactions.find(
    ({ part, aliases }) => part.transactionId === transactionId || aliases.includes(transactionId),
  )
  const facts: ConsumptionFacts = {
    now: ctx.clock.now(),
    period: asked && asked.expiresAt !== null ? { startsAt: asked.part.purchaseDate, endsAt: asked.expiresAt } : null,
    credits,
    firstSeenAt,
    playTimeMs,
    ...lifetimeMoney(lines),
    hadTrial: transactions.some(({ part }) => part.isTrial),
    isEntitled: Object.keys(access).length > 0,
    appAccountToken: accountTokenOf(purchase.accountToken),
  }
  return {
    environment,
    isRefunded: asked !== undefined && standingMarkers(asked.part, asked.markers).refundedAt !== null,
    facts,
  }
}

/** The first answer of a slice that records sessions; null when none does. */
async function readPlayTime(ctx: Context, subscriberId: string): Promise<number | null> {
  const [playTime] = ctx.hooks.playTime ?? []
  return playTime ? playTime(ctx, subscriberId) : null
}

/** The credits that a consumable's charge granted, in all currencies together; null when it granted none. */
async function readCredits(
  ctx: Context,
  project: ProjectState,
  { fold }: PurchaseRow,
  transactionId: string,
): Promise<GrantUse | null> {
  if (fold.productType !== 'CONSUMABLE') return null
  const reference = `txn:${transactionId}`
  const grants = await findGrants(ctx, project, [reference])
  const uses = await Promise.all(grants.map((grant) => readUse(ctx, grant, reference)))
  const total = (member: keyof GrantUse) => uses.reduce((sum, use) => sum + use[member], 0n)
  return uses.length === 0 ? null : { granted: total('granted'), spent: total('spent') }
}

type Grant = Awaited<ReturnType<typeof findGrants>>[number]

/** Reads the credits of the person, whose row may have been merged into another one. */
async function readUse(ctx: Context, grant: Grant, reference: string): Promise<GrantUse> {
  const { projectId, subscriberId, currencyId } = grant
  const row = await findSubscriber(ctx, projectId, subscriberId)
  const holder = row ? (await resolveRow(ctx, row)).id : subscriberId
  return usedOf(reference, await creditHistory(ctx, { projectId, subscriberId: holder, currencyId }))
}
