import type { Tier } from '../../base/config-cloud'
import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import type { Money } from '../../base/lib/money'
import { findBillingAccount, findCustomer, listCustomers } from '../../projects/billing/account-queries'
import { listPlanChanges, planOf, requireCloud } from '../../projects/billing/service'
import { isHigher, tierAt } from '../../projects/billing/tier'
import { conflict, type ProjectActor } from '../../projects/project/edit'
import { requireProvider } from './choose-provider'
import { ensureCustomer, ownCustomer } from './owner'
import { type BillingProvider, type Confirmation, NOTHING_TO_CONFIRM, type PlanSwitch } from './provider'
import { readBilling } from './read-billing'
import { audit, recordAnswer, standingOf } from './record'
import { isGone, ofCustomer, recordEnds, withPresentCustomer } from './replace-customer'

export interface Upgrade {
  tier: Tier
  paymentMethodId?: string | undefined
  dryRun?: boolean | undefined
}

interface Change {
  tier: Tier
  subscriptionId: string
  pendingTier: Tier | null
}

/** What an upgrade does, after every check that needs no provider. */
type Plan =
  | { kind: 'SUBSCRIBE'; tier: Tier }
  | { kind: 'PAY'; tier: Tier }
  /** In place of the unpaid subscription of a former owner. */
  | { kind: 'REPLACE'; tier: Tier; subscriptionId: string }
  | ({ kind: 'NOW' | 'NEXT' | 'BACK' } & Change)

/** Chooses a plan. The state changes when the provider reports the payment. */
export async function upgrade(ctx: Context, by: ProjectActor, { tier, paymentMethodId, dryRun }: Upgrade) {
  const { projectId } = by
  const price = priceOf(ctx, tier)
  const provider = requireProvider(ctx, projectId)
  await requireDetails(ctx, projectId)
  const parts = { provider, projectId, tier, price }
  const { dueNow, done } = dryRun
    ? { dueNow: await previewPlan(ctx, parts), done: NOTHING_TO_CONFIRM }
    : await withPresentCustomer(ctx, provider, projectId, () => choosePlan(ctx, parts, paymentMethodId ?? null))
  if (!dryRun) await audit(ctx, by, 'billing.upgrade', { tier })
  return { ...done, state: (await readBilling(ctx, projectId)).state, dueNow, nextAmount: price }
}

interface Choice {
  provider: BillingProvider
  projectId: string
  tier: Tier
  price: Money
}

/** Of a customer that was deleted at the provider, the plan has ended: another one costs its whole price. */
async function previewPlan(ctx: Context, { provider, projectId, tier, price }: Choice): Promise<Money> {
  const { tier: paid, customerId } = await standingOf(ctx, projectId)
  try {
    return await dueOf(provider, await planUpgrade(ctx, projectId, tier), price, paid)
  } catch (error) {
    if (customerId === null || !(await isGone(provider, customerId, error))) throw error
    return price
  }
}

async function choosePlan(ctx: Context, { provider, projectId, tier, price }: Choice, cardId: string | null) {
  const plan = await planUpgrade(ctx, projectId, tier)
  const { tier: paid } = await standingOf(ctx, projectId)
  const dueNow = await dueOf(provider, plan, price, paid)
  return { dueNow, done: await carryOut(ctx, provider, projectId, plan, cardId) }
}

function priceOf(ctx: Context, tier: Tier): Money {
  const cloud = requireCloud(ctx)
  if (tier === 'FREE') throw invalid('tier FREE is not bought: cancel the plan instead')
  const price = planOf(cloud, tier).monthly
  if (!price) throw invalid(`tier ${tier} has no monthly price here; ask the operator of this server for it`)
  return price
}

async function requireDetails(ctx: Context, projectId: string): Promise<void> {
  const { details } = await findBillingAccount(ctx, projectId)
  if (!details)
    throw invalid('The country of the buyer is not known; save name and address first (PUT …/billing/details)')
}

async function planUpgrade(ctx: Context, projectId: string, tier: Tier): Promise<Plan> {
  const { state, tier: paid, pendingTier, subscriptionId, customerId, cancelAt } = await standingOf(ctx, projectId)
  const byHand = tierAt(await listPlanChanges(ctx, projectId), ctx.clock.now())
  if (byHand !== 'FREE' && !isHigher(tier, byHand)) throw new AppError('BILLING_ALREADY_ACTIVE')
  if (subscriptionId === null || state === 'FREE' || (await wasReplaced(ctx, customerId)))
    return { kind: 'SUBSCRIBE', tier }
  const isOwn = (await ownCustomer(ctx, projectId))?.id === customerId
  if (state !== 'ACTIVE') return isOwn ? { kind: 'PAY', tier } : { kind: 'REPLACE', tier, subscriptionId }
  const change = { tier, subscriptionId, pendingTier }
  if (tier === paid && pendingTier !== null) return { kind: 'BACK', ...change }
  if (tier === pendingTier) throw alreadyActive(`The plan ${tier} starts with the next period already`)
  if (tier === paid) throw new AppError('BILLING_ALREADY_ACTIVE')
  if (!isOwn) throw conflict('The card of the former owner is charged; add a card of your own first')
  if (cancelAt !== null) throw conflict('The plan is cancelled; undo that before you choose another one')
  return { kind: isHigher(tier, paid) ? 'NOW' : 'NEXT', ...change }
}

/** What a deleted customer had is paid by nobody. */
const wasReplaced = async (ctx: Context, customerId: string | null): Promise<boolean> =>
  customerId !== null && ((await findCustomer(ctx, customerId))?.goneAt ?? null) !== null

const alreadyActive = (message: string): AppError => new AppError('BILLING_ALREADY_ACTIVE', undefined, { message })

async function dueOf(provider: BillingProvider, plan: Plan, price: Money, paid: Tier): Promise<Money> {
  const nothing = { amountMicros: 0, currency: price.currency }
  if (plan.kind === 'NEXT' || plan.kind === 'BACK') return nothing
  return plan.kind === 'NOW' ? previewHigher(provider, plan, paid) : price
}

/** With a lower plan to come, the provider reckons with its price: what that is too low is subtracted. */
async function previewHigher(
  provider: BillingProvider,
  { tier, subscriptionId, pendingTier }: Change,
  paid: Tier,
): Promise<Money> {
  const due = await provider.previewSwitch({ subscriptionId, tier })
  if (pendingTier === null) return due
  const back = await provider.previewSwitch({ subscriptionId, tier: paid })
  return { ...due, amountMicros: Math.max(0, due.amountMicros - back.amountMicros) }
}

async function carryOut(
  ctx: Context,
  provider: BillingProvider,
  projectId: string,
  plan: Plan,
  cardId: string | null,
): Promise<Confirmation> {
  if (plan.kind === 'SUBSCRIBE') return subscribe(ctx, provider, projectId, plan.tier, cardId)
  if (plan.kind === 'REPLACE') return replace(ctx, provider, projectId, plan, cardId)
  if (plan.kind === 'PAY') return payOpen(ctx, provider, projectId, plan.tier, cardId)
  const { kind: when, tier, subscriptionId, pendingTier } = plan
  const { tier: paidTier } = await standingOf(ctx, projectId)
  const wanted: PlanSwitch = { subscriptionId, tier, paidTier, when, cardId }
  if (when !== 'NOW' || pendingTier === null) return provider.switchPlan(wanted)
  return switchFromPending(provider, wanted, pendingTier)
}

/** The provider would reckon with the lower price to come, which was not paid for this period: it is taken back first. */
async function switchFromPending(provider: BillingProvider, wanted: PlanSwitch, pendingTier: Tier) {
  const plain = { ...wanted, cardId: null }
  await provider.switchPlan({ ...plain, tier: wanted.paidTier, when: 'BACK' })
  try {
    return await provider.switchPlan(wanted)
  } catch (error) {
    await provider.switchPlan({ ...plain, tier: pendingTier, when: 'NEXT' })
    throw error
  }
}

/** An unpaid attempt is ended when another plan is chosen; for the same plan it is continued. */
async function subscribe(
  ctx: Context,
  provider: BillingProvider,
  projectId: string,
  tier: Tier,
  cardId: string | null,
): Promise<Confirmation> {
  const customerId = await ensureCustomer(ctx, provider, projectId)
  const known = await provider.listSubscriptions(customerId)
  const begun = known.find(({ status }) => status === 'incomplete')
  if (known.some(({ status }) => RUNNING.includes(status)))
    throw alreadyActive('The provider has a running plan of this project already; POST …/billing/refresh asks it')
  if (begun?.tier === tier) return provider.payOpen(begun.id, cardId)
  if (begun) await provider.endNow(begun.id)
  const key = `svc-subscribe-${customerId}-${known.length}`
  return provider.subscribe({ customerId, tier, cardId, startsAt: null, key })
}

/** The unpaid subscription of a former owner ends when the new one was paid at once; else it ends by itself. */
async function replace(
  ctx: Context,
  provider: BillingProvider,
  projectId: string,
  { tier, subscriptionId }: { tier: Tier; subscriptionId: string },
  cardId: string | null,
): Promise<Confirmation> {
  const confirmation = await subscribe(ctx, provider, projectId, tier, cardId)
  if (confirmation.clientSecret === null) await provider.endNow(subscriptionId)
  return confirmation
}

const ENDED: readonly string[] = ['canceled', 'incomplete_expired']
const RUNNING = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

async function payOpen(
  ctx: Context,
  provider: BillingProvider,
  projectId: string,
  tier: Tier,
  cardId: string | null,
): Promise<Confirmation> {
  const { subscriptionId, customerId } = await standingOf(ctx, projectId)
  const known = customerId === null ? [] : await provider.listSubscriptions(customerId)
  const one = known.find(({ id }) => id === subscriptionId)
  if (one && ENDED.includes(one.status)) {
    await recordAnswer(ctx, projectId, known)
    return subscribe(ctx, provider, projectId, tier, cardId)
  }
  if (!one || one.tier !== tier)
    throw conflict('Pay the open invoice of the present plan before you choose another one')
  return provider.payOpen(one.id, cardId)
}

/** Asks the provider for the state, for events that did not arrive. */
export async function refresh(ctx: Context, projectId: string) {
  const provider = requireProvider(ctx, projectId)
  for (const customer of await listCustomers(ctx, projectId)) {
    const known = await ofCustomer(provider, customer, () => provider.listSubscriptions(customer.id), [])
    await recordAnswer(ctx, projectId, known)
    if (known.length === 0) await recordEnds(ctx, provider, projectId, customer.id)
  }
  return readBilling(ctx, projectId)
}
