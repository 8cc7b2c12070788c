import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { listCustomers } from '../../projects/billing/account-queries'
import { editDashboard, type ProjectActor } from '../../projects/project/edit'
import { requireProvider } from './choose-provider'
import { ensureCustomer, ownCustomer } from './owner'
import type { BillingProvider, Card } from './provider'
import { standingOf } from './record'
import { withPresentCustomer } from './replace-customer'

interface Held {
  customerId: string
  cards: Card[]
  defaultId: string | null
}

async function heldCards(ctx: Context, provider: BillingProvider, projectId: string): Promise<Held | null> {
  const customer = await ownCustomer(ctx, projectId)
  return customer && { customerId: customer.id, ...(await provider.listCards(customer.id)) }
}

/** The cards of the present owner. */
export async function listCards(ctx: Context, projectId: string) {
  const held = await heldCards(ctx, requireProvider(ctx, projectId), projectId)
  return held ? held.cards.map((card) => ({ ...card, isDefault: card.id === held.defaultId })) : []
}

/** The secret with which the browser saves a card at the provider. 409 before the first upgrade. */
export async function setUpCard(ctx: Context, by: ProjectActor): Promise<string> {
  const { projectId } = by
  const provider = requireProvider(ctx, projectId)
  if ((await listCustomers(ctx, projectId)).length === 0) throw new AppError('BILLING_UPGRADE_REQUIRED')
  const secret = await withPresentCustomer(ctx, provider, projectId, async () =>
    provider.setUpCard(await ensureCustomer(ctx, provider, projectId)),
  )
  await audit(ctx, by, 'billing.card.add', projectId)
  return secret
}

async function requireCard(ctx: Context, provider: BillingProvider, projectId: string, cardId: string): Promise<Held> {
  const held = await heldCards(ctx, provider, projectId)
  if (!held?.cards.some(({ id }) => id === cardId)) throw notFound('payment method', cardId)
  return held
}

export async function setDefaultCard(ctx: Context, by: ProjectActor, cardId: string) {
  const provider = requireProvider(ctx, by.projectId)
  const { customerId } = await requireCard(ctx, provider, by.projectId, cardId)
  await provider.setDefaultCard(customerId, cardId)
  await audit(ctx, by, 'billing.card.default', cardId)
  const changed = (await listCards(ctx, by.projectId)).find(({ id }) => id === cardId)
  if (!changed) throw notFound('payment method', cardId)
  return changed
}

/** Removes a card. The last one stays while a plan runs or an invoice is not paid. */
export async function removeCard(ctx: Context, by: ProjectActor, cardId: string): Promise<void> {
  const provider = requireProvider(ctx, by.projectId)
  const { customerId, cards, defaultId } = await requireCard(ctx, provider, by.projectId, cardId)
  const [other] = cards.filter(({ id }) => id !== cardId)
  if (!other) await refuseLast(ctx, provider, by.projectId, customerId)
  if (other && defaultId === cardId) await provider.setDefaultCard(customerId, other.id)
  await provider.removeCard(cardId)
  await audit(ctx, by, 'billing.card.remove', cardId)
}

async function refuseLast(ctx: Context, provider: BillingProvider, projectId: string, customerId: string) {
  const { state, customerId: paying } = await standingOf(ctx, projectId)
  if (paying === customerId && (state === 'ACTIVE' || state === 'PAST_DUE')) throw new AppError('BILLING_CARD_IN_USE')
  if (await provider.hasUnpaidInvoice(customerId)) throw new AppError('BILLING_CARD_OPEN_INVOICE')
}

const audit = (ctx: Context, by: ProjectActor, action: string, id: string): Promise<void> =>
  editDashboard(ctx, by, async ({ entries }) => {
    entries.push({ action, target: { type: 'payment-method', id }, before: null, after: null })
  })
