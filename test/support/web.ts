import { expect } from 'bun:test'
import { listForReplay, replayStoreEvent } from '../../src/intake/catch-up/replay'
import { itemOf } from '../../src/test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../src/test-store/stores/payment-checkout'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { chargeOfIntent, chargeOfInvoice } from '../../src/test-store/stores/payment-returns'
import { getFrom } from '../../src/test-store/stores/payment-world'
import type { PaymentStage } from './payment'
import { deliverAll, expectSubmitted, sweep } from './story'

interface Order {
  slot?: '$svc_monthly' | '$svc_annual'
  /** The trial that the seller has set at the provider. */
  trialDays?: number
}

/** Opens a checkout as a device does and pays there; returns the id of the subscription. Delivers nothing. */
export async function subscribeOnWeb(s: PaymentStage, device: string, order: Order = {}): Promise<string> {
  const { slot = '$svc_monthly', trialDays = 0 } = order
  const opened = await s.checkout(device, slot)
  await expectSubmitted(Promise.resolve(opened))
  const { id } = opened.body.data
  Object.assign(getFrom(s.world.orders, id), { trialDays })
  return String(completeCheckout(s.world, id).subscription)
}

interface Payment {
  /** The subscriber who pays. Without it, the payment comes from a payment page of the seller and belongs to nobody. */
  subscriberId?: string
  isFree?: boolean
}

/** A customer pays for a one-time product; returns the id of the payment. Delivers nothing. */
export function payOnWeb(
  { world }: Pick<PaymentStage, 'world'>,
  priceId: string,
  { subscriberId, isFree = false }: Payment = {},
): string {
  const metadata = subscriberId === undefined ? {} : { svc_subscriber_id: subscriberId }
  const saleMetadata = { ...metadata, svc_price_id: priceId }
  const common = { customer: null, successUrl: null, cancelUrl: null, trialDays: 0 }
  const { id } = openCheckout(world, { mode: 'payment', priceId, metadata, saleMetadata, ...common })
  return String(completeCheckout(world, id, isFree).payment_intent)
}

/** Invoices of a subscription with an amount above zero, the oldest first. */
const paidInvoices = ({ world }: PaymentStage, subscription: string): string[] =>
  [...world.invoices.values()]
    .filter(({ parent, amount_paid }) => amount_paid > 0 && parent?.subscription_details?.subscription === subscription)
    .map(({ id }) => id)

/** The charge behind a payment, or behind a subscription's first or last paid invoice. */
export function chargeOf(s: PaymentStage, id: string, which: 'first' | 'last' = 'last'): string {
  if (id.startsWith('pi_')) return chargeOfIntent(s.world, id)
  return chargeOfInvoice(s.world, paidInvoices(s, id).at(which === 'first' ? 0 : -1) ?? '')
}

/** Sets another price from the next period on, as a schedule at the provider does. The provider sends no event. */
export function switchAtPeriodEnd({ world }: PaymentStage, subscription: string, priceId: string): void {
  itemOf(getFrom(world.subscriptions, subscription)).price = getFrom(world.prices, priceId)
}

/**
 * Delivers all earlier events again, the last first, replays them, and fetches the purchases from the provider again.
 */
export async function redeliverAll(s: PaymentStage, device: string): Promise<void> {
  for (const event of s.world.events.toReversed()) {
    const delivery = await signEvent(event, { secret: s.secret, now: s.ctx.clock.now() })
    expect((await s.deliver(delivery)).body).toEqual({ data: { received: true, duplicate: true } })
  }
  for (const id of await listForReplay(s.ctx, {})) await replayStoreEvent(s.ctx, id)
  s.ctx.clock.advance(120_000)
  await expectSubmitted(s.post(`/v1/subscribers/${device}/restore`, { receipts: [] }))
  await sweep(s)
}

/** A subscription from the device's checkout, with its events delivered. */
export async function bought(s: PaymentStage, device: string, slot: Order['slot'] = '$svc_monthly'): Promise<string> {
  const id = await subscribeOnWeb(s, device, { slot })
  await deliverAll(s)
  return id
}

/** Changes something at the provider, and delivers the events of it. */
export async function changeAndDeliver(
  s: PaymentStage,
  change: (world: PaymentStage['world']) => unknown,
): Promise<void> {
  change(s.world)
  await deliverAll(s)
}
