import fc from 'fast-check'
import type Stripe from 'stripe'
import { HOUR, SECOND } from '../../src/base/lib/clock'
import { itemOf, subscribe } from '../../src/test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../src/test-store/stores/payment-checkout'
import {
  chargeOfInvoice,
  closeDispute,
  failRefund,
  openDispute,
  refundCharge,
} from '../../src/test-store/stores/payment-returns'
import * as turns from '../../src/test-store/stores/payment-turns'
import { getFrom, type PaymentWorld } from '../../src/test-store/stores/payment-world'

/** The purchases of one customer at the provider so far. */
export interface WebLife {
  metadata: Stripe.Metadata
  /** Id of the newest subscription. */
  sale: string
}

type Turn = (world: PaymentWorld, life: WebLife, pick: number) => void

const ofSale =
  (turn: (world: PaymentWorld, sale: Stripe.Subscription, pick: number) => void): Turn =>
  (world, life, pick) => {
    const sale = getFrom(world.subscriptions, life.sale)
    if (sale.status !== 'canceled') turn(world, sale, pick)
  }

/** Steps of a customer's life. A step that is not possible for the customer changes nothing. */
const WEB_TURNS = {
  SUBSCRIBE: buyAgain,
  RENEW: ofSale((world, sale) => whenDue(world, sale, () => turns.renew(world, sale.id))),
  DRAFT: ofSale((world, sale) => whenDue(world, sale, () => turns.beginPeriod(world, sale.id))),
  FAIL: ofSale((world, sale) => {
    if (newestInvoice(world, sale).status === 'draft') turns.failPayment(world, sale.id)
    else whenDue(world, sale, () => turns.failPayment(world, sale.id))
  }),
  SETTLE: ofSale((world, sale) => {
    if (newestInvoice(world, sale).status !== 'paid') turns.settle(world, sale.id)
  }),
  GIVE_UP: ofSale((world, sale, pick) => {
    if (sale.status === 'past_due') turns.giveUp(world, sale.id, pick % 2 === 0 ? 'unpaid' : 'canceled')
  }),
  CANCEL: ofSale((world, sale) => {
    if (!sale.cancel_at_period_end) turns.cancelAtPeriodEnd(world, sale.id)
  }),
  UNDO: ofSale((world, sale) => {
    if (sale.cancel_at_period_end) turns.undoCancel(world, sale.id)
  }),
  END: ofSale((world, sale) => turns.endNow(world, sale.id)),
  PAUSE: ofSale((world, sale) => {
    if (sale.status === 'active' && !sale.pause_collection) turns.pauseCollection(world, sale.id)
  }),
  RESUME: ofSale((world, sale) => {
    if (sale.pause_collection) turns.resume(world, sale.id)
  }),
  CHANGE: ofSale((world, sale) => {
    if (newestInvoice(world, sale).status === 'paid') turns.changePrice(world, sale.id, otherPrice(sale))
  }),
  REFUND: (world, life, pick) => giveBack(world, life, pick, (left) => left),
  REFUND_PART: (world, life, pick) => giveBack(world, life, pick, (left) => Math.ceil(left / 3)),
  FAIL_REFUND: failNewest,
  LOSE: (world, life, pick) => {
    const charge = openCharge(world, life, pick)
    if (charge) closeDispute(world, openDispute(world, charge.id).id, 'lost')
  },
  WIN: win,
  COINS: buyCoins,
} as const satisfies Record<string, Turn>

type TurnName = keyof typeof WEB_TURNS
const NAMES = Object.keys(WEB_TURNS) as TurnName[]

export interface WebStep {
  turn: TurnName
  gapHours: number
  pick: number
}

export interface WebScript {
  trialDays: number
  priceId: string
  steps: readonly WebStep[]
}

export const anyWebScript: fc.Arbitrary<WebScript> = fc.record({
  trialDays: fc.constantFrom(0, 0, 7),
  priceId: fc.constantFrom('price_monthly', 'price_yearly'),
  steps: fc.array(
    fc.record({
      turn: fc.constantFrom(...NAMES),
      // Some steps follow within one second, the precision of the provider's times.
      gapHours: fc.oneof(
        { weight: 1, arbitrary: fc.constant(0) },
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 480 }) },
      ),
      pick: fc.nat({ max: 11 }),
    }),
    { minLength: 1, maxLength: 7 },
  ),
})

export function beginLife(world: PaymentWorld, { trialDays, priceId }: WebScript, life: WebLife): void {
  life.sale = subscribe(world, { priceId, trialDays, metadata: life.metadata }).id
}

/** Runs the step, or the next one in the list that is possible for the customer. */
export function takeTurn(world: PaymentWorld, life: WebLife, { turn, pick }: WebStep): void {
  const before = world.events.length
  for (let hop = 0; world.events.length === before && hop < NAMES.length; hop++) {
    const next = NAMES[(NAMES.indexOf(turn) + hop) % NAMES.length]
    if (next) WEB_TURNS[next](world, life, pick)
  }
}

const BEGINS_PERIOD: readonly TurnName[] = ['RENEW', 'DRAFT', 'FAIL']

/** The instant of a step. At the end of a period the provider always acts, and the next period begins there. */
export function waitFor(world: PaymentWorld, { sale }: WebLife, { turn, gapHours }: WebStep): number {
  const subscription = getFrom(world.subscriptions, sale)
  const now = world.clock.now()
  if (subscription.status === 'canceled') return now + gapHours * HOUR
  const end = itemOf(subscription).current_period_end * SECOND
  if (BEGINS_PERIOD.includes(turn)) return Math.max(now, end)
  return Math.max(now, Math.min(now + gapHours * HOUR, end - HOUR))
}

function buyAgain(world: PaymentWorld, life: WebLife, pick: number): void {
  if (getFrom(world.subscriptions, life.sale).status !== 'canceled') return
  const priceId = pick % 2 === 0 ? 'price_monthly' : 'price_yearly'
  life.sale = subscribe(world, { priceId, metadata: life.metadata }).id
}

const newestInvoice = (world: PaymentWorld, { latest_invoice }: Stripe.Subscription): Stripe.Invoice =>
  getFrom(world.invoices, typeof latest_invoice === 'string' ? latest_invoice : '')

function whenDue(world: PaymentWorld, sale: Stripe.Subscription, turn: () => void): void {
  const isDue = world.now >= itemOf(sale).current_period_end
  const isHindered = sale.cancel_at_period_end || sale.pause_collection !== null
  if (isDue && !isHindered && newestInvoice(world, sale).status === 'paid') turn()
}

const otherPrice = (sale: Stripe.Subscription): string =>
  itemOf(sale).price.id === 'price_monthly' ? 'price_yearly' : 'price_monthly'

/** Charges of the customer's subscriptions, the newest first. */
function chargesOf(world: PaymentWorld, { metadata }: WebLife): Stripe.Charge[] {
  return [...world.invoices.values()]
    .filter(
      ({ amount_paid, parent }) =>
        amount_paid > 0 && parent?.subscription_details?.metadata?.svc_subscriber_id === metadata.svc_subscriber_id,
    )
    .map(({ id }) => getFrom(world.charges, chargeOfInvoice(world, id)))
    .reverse()
}

/** A charge that can be refunded. */
function openCharge(world: PaymentWorld, life: WebLife, pick: number): Stripe.Charge | undefined {
  const open = chargesOf(world, life).filter(({ refunded, disputed }) => !refunded && !disputed)
  return open[pick % (open.length || 1)]
}

function giveBack(world: PaymentWorld, life: WebLife, pick: number, share: (left: number) => number): void {
  const charge = openCharge(world, life, pick)
  if (charge) refundCharge(world, charge.id, share(charge.amount - charge.amount_refunded))
}

function failNewest(world: PaymentWorld, life: WebLife): void {
  const own = chargesOf(world, life).filter(({ disputed }) => !disputed)
  const refund = [...world.refunds.values()].findLast(
    ({ charge, status }) => status === 'succeeded' && own.some(({ id }) => id === charge),
  )
  if (refund) failRefund(world, refund.id)
}

/** Wins a lost dispute on appeal, or opens a dispute and wins it at once. */
function win(world: PaymentWorld, life: WebLife, pick: number): void {
  const own = chargesOf(world, life)
  const lost = [...world.disputes.values()].find(
    ({ status, charge }) =>
      status === 'lost' && own.some(({ id, amount_refunded }) => id === charge && amount_refunded === 0),
  )
  const charge = openCharge(world, life, pick)
  const dispute = lost ?? (charge?.amount_refunded === 0 ? openDispute(world, charge.id) : null)
  if (dispute) closeDispute(world, dispute.id, 'won')
}

function buyCoins(world: PaymentWorld, { metadata }: WebLife): void {
  const saleMetadata = { ...metadata, svc_price_id: 'price_coins' }
  const common = { customer: null, successUrl: null, cancelUrl: null, trialDays: 0 }
  const { id } = openCheckout(world, { mode: 'payment', priceId: 'price_coins', metadata, saleMetadata, ...common })
  completeCheckout(world, id)
}
