import type Stripe from 'stripe'
import type { TestStore } from '../../../stores/payment/world.fixtures'
import { itemOf, subscribe } from '../../../test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../../test-store/stores/payment-checkout'
import { closeDispute, failRefund, openDispute, refundCharge } from '../../../test-store/stores/payment-returns'
import {
  beginPeriod,
  cancelAtPeriodEnd,
  changePrice,
  endNow,
  failPayment,
  giveUp,
  pauseCollection,
  renew,
  resume,
  settle,
  undoCancel,
} from '../../../test-store/stores/payment-turns'
import { getFrom } from '../../../test-store/stores/payment-world'

/** A turn of a customer of the provider. A turn that is impossible changes nothing. */
type Turn = (store: TestStore, pick: number) => void
type SaleTurn = (store: TestStore, sale: Stripe.Subscription, pick: number) => void

/** A turn of the newest subscription, while it runs. */
const ofSale =
  (turn: SaleTurn): Turn =>
  (store, pick) => {
    const sale = newestSale(store)
    if (sale && sale.status !== 'canceled') turn(store, sale, pick)
  }

export const PAYMENT_TURNS = {
  SUBSCRIBE: buy,
  RENEW: ofSale((store, sale) => whenDue(store, sale, () => renew(store.world, sale.id))),
  DRAFT: ofSale((store, sale) => whenDue(store, sale, () => beginPeriod(store.world, sale.id))),
  FAIL: ofSale(fail),
  SETTLE: ofSale((store, sale) => {
    if (isUnpaid(store, sale)) settle(store.world, sale.id)
  }),
  GIVE_UP: ofSale((store, sale, pick) => {
    if (sale.status === 'past_due') giveUp(store.world, sale.id, pick % 2 === 0 ? 'unpaid' : 'canceled')
  }),
  CANCEL: ofSale((store, sale) => {
    if (!sale.cancel_at_period_end) cancelAtPeriodEnd(store.world, sale.id)
  }),
  UNDO: ofSale((store, sale) => {
    if (sale.cancel_at_period_end) undoCancel(store.world, sale.id)
  }),
  END: ofSale((store, sale) => {
    if (sale.cancel_at_period_end) goToEnd(store, sale)
    endNow(store.world, sale.id)
  }),
  PAUSE: ofSale((store, sale) => {
    if (sale.status === 'active' && !sale.pause_collection) pauseCollection(store.world, sale.id)
  }),
  RESUME: ofSale((store, sale) => {
    if (sale.pause_collection) resume(store.world, sale.id)
  }),
  CHANGE: ofSale((store, sale) => {
    if (!isUnpaid(store, sale)) changePrice(store.world, sale.id, otherPrice(sale))
  }),
  SWITCH: ofSale((store, sale) => {
    if (!isUnpaid(store, sale)) changePrice(store.world, sale.id, otherPrice(sale), false)
  }),
  REFUND: (store, pick) => refund(store, pick, (left) => left),
  REFUND_PART: (store, pick) => refund(store, pick, (left) => Math.ceil(left / (2 + (pick % 3)))),
  FAIL_REFUND: failLastRefund,
  LOSE: lose,
  WIN: win,
  COINS: (store) => buyOnce(store, false),
  FREE_COINS: (store) => buyOnce(store, true),
} as const satisfies Record<string, Turn>

export type PaymentTurn = keyof typeof PAYMENT_TURNS

export const newestSale = ({ world }: TestStore): Stripe.Subscription | null =>
  [...world.subscriptions.values()].at(-1) ?? null

/** When the provider acts by itself. */
export const nextChangeAt = (sale: Stripe.Subscription): number =>
  sale.status === 'canceled' ? Number.POSITIVE_INFINITY : itemOf(sale).current_period_end * 1000

const OFFERS = [
  { priceId: 'price_monthly' },
  { priceId: 'price_monthly', trialDays: 7 },
  { priceId: 'price_yearly', trialDays: 0 },
]

function buy(store: TestStore, pick: number): void {
  const held = newestSale(store)
  if (held && held.status !== 'canceled') return
  const offer = OFFERS[pick % OFFERS.length] ?? { priceId: 'price_monthly' }
  subscribe(store.world, { ...offer, metadata: store.metadata })
}

const newestInvoice = ({ world }: TestStore, { latest_invoice }: Stripe.Subscription): Stripe.Invoice =>
  getFrom(world.invoices, typeof latest_invoice === 'string' ? latest_invoice : '')

const isUnpaid = (store: TestStore, sale: Stripe.Subscription): boolean => newestInvoice(store, sale).status !== 'paid'

/** A period starts at the end of the period before it. */
function whenDue(store: TestStore, sale: Stripe.Subscription, turn: () => void): void {
  if (isUnpaid(store, sale) || sale.cancel_at_period_end || sale.pause_collection) return
  goToEnd(store, sale)
  turn()
}

const goToEnd = (store: TestStore, sale: Stripe.Subscription): void =>
  store.clock.goTo(Math.max(store.clock.now(), itemOf(sale).current_period_end * 1000))

function fail(store: TestStore, sale: Stripe.Subscription): void {
  if (newestInvoice(store, sale).status === 'draft') failPayment(store.world, sale.id)
  else whenDue(store, sale, () => failPayment(store.world, sale.id))
}

const otherPrice = (sale: Stripe.Subscription): string =>
  itemOf(sale).price.id === 'price_monthly' ? 'price_yearly' : 'price_monthly'

/** Charges that can be refunded, the newest first. */
const openCharges = ({ world }: TestStore): Stripe.Charge[] =>
  [...world.charges.values()].filter(({ refunded, disputed }) => !refunded && !disputed).reverse()

const pickFrom = <Item>(items: readonly Item[], pick: number): Item | undefined => items[pick % (items.length || 1)]

function refund(store: TestStore, pick: number, share: (left: number) => number): void {
  const charge = pickFrom(openCharges(store), pick)
  if (charge) refundCharge(store.world, charge.id, share(charge.amount - charge.amount_refunded))
}

/** Makes the last refund fail: the bank returns its money. */
function failLastRefund(store: TestStore, pick: number): void {
  const sent = [...store.world.refunds.values()].filter(({ status }) => status === 'succeeded')
  const refunded = pickFrom(sent.reverse(), pick)
  if (refunded) failRefund(store.world, refunded.id)
}

function lose(store: TestStore, pick: number): void {
  const charge = pickFrom(openCharges(store), pick)
  if (charge) closeDispute(store.world, openDispute(store.world, charge.id).id, 'lost')
}

/** The seller wins a dispute about a charge without other refunds, at once or on appeal. */
function win(store: TestStore, pick: number): void {
  const { world } = store
  const isWhole = (id: string) => getFrom(world.charges, id).amount_refunded === 0
  const lost = [...world.disputes.values()].filter((one) => one.status === 'lost' && isWhole(String(one.charge)))
  const charge = pickFrom(
    openCharges(store).filter(({ id }) => isWhole(id)),
    pick,
  )
  const dispute = pickFrom(lost.reverse(), pick) ?? (charge && openDispute(world, charge.id))
  if (dispute) closeDispute(world, dispute.id, 'won')
}

function buyOnce({ world, metadata }: TestStore, isFree: boolean): void {
  const request = { mode: 'payment' as const, priceId: 'price_coins', customer: null, trialDays: 0 }
  const urls = { successUrl: null, cancelUrl: null }
  const saleMetadata = { ...metadata, svc_price_id: 'price_coins' }
  const session = openCheckout(world, { ...request, ...urls, metadata, saleMetadata })
  completeCheckout(world, session.id, isFree)
}
