import type Stripe from 'stripe'
import type { TestStore } from '../../../stores/payment/world.fixtures'
import {
  addPrice,
  bill,
  itemOf,
  lineOf,
  payInvoice,
  periodEnd,
  periodLines,
  subscribe,
} from '../../../test-store/stores/payment-billing'
import { toItem } from '../../../test-store/stores/payment-billing-objects'
import { completeCheckout, openCheckout } from '../../../test-store/stores/payment-checkout'
import { creditLines } from '../../../test-store/stores/payment-credit-notes'
import { discountItem } from '../../../test-store/stores/payment-discounts'
import { billOnce, payBill } from '../../../test-store/stores/payment-invoices'
import { addCredit, addItem, removeItem, schedulePrice, setQuantity } from '../../../test-store/stores/payment-items'
import {
  chargeOfInvoice,
  closeDispute,
  failRefund,
  openDispute,
  refundCharge,
} from '../../../test-store/stores/payment-returns'
import * as turns from '../../../test-store/stores/payment-turns'
import { getFrom } from '../../../test-store/stores/payment-world'

type Item = Stripe.SubscriptionItem
type Turn = (store: ItemsStore, pick: number) => void
type SaleTurn = (store: ItemsStore, sale: Stripe.Subscription, pick: number) => void

/** A simulated provider, with the lines of changes that are billed with the next period. */
export interface ItemsStore extends TestStore {
  later: Map<string, Stripe.InvoiceLineItem[]>
}

/** Prices by the month in cents; null = sold once. Nobody and the gift are in no catalogue. */
export const ITEM_PRICES = {
  price_monthly: { amount: 999, interval: 'month' },
  price_team: { amount: 2501, interval: 'month' },
  price_nobody: { amount: 500, interval: 'month' },
  price_coins: { amount: 99, interval: null },
  price_lifetime: { amount: 19_999, interval: null },
  price_gift: { amount: 333, interval: null },
} as const

export type ItemPrice = keyof typeof ITEM_PRICES

export function openItemsStore(store: TestStore): ItemsStore {
  for (const [id, price] of Object.entries(ITEM_PRICES)) addPrice(store.world, { id, ...price })
  return Object.assign(store, { later: new Map() })
}

const MONTHLY = ['price_monthly', 'price_team', 'price_nobody'] as const

/** A turn of the newest subscription, while it runs. */
const ofSale =
  (turn: SaleTurn): Turn =>
  (store, pick) => {
    const sale = newestSale(store)
    if (sale && sale.status !== 'canceled') turn(store, sale, pick)
  }

/** A turn of a subscription that is paid, and is not in its trial. */
const ofPaid = (turn: SaleTurn): Turn =>
  ofSale((store, sale, pick) => {
    if (sale.status === 'active' && !sale.pause_collection && isPaid(store, sale)) turn(store, sale, pick)
  })

/** A turn of one that no schedule changes with the next period. */
const ofUnplanned = (turn: SaleTurn): Turn =>
  ofPaid((store, sale, pick) => {
    if (!sale.schedule) turn(store, sale, pick)
  })

export const ITEM_TURNS = {
  SUBSCRIBE: buy,
  RENEW: ofSale((store, sale) => whenDue(store, sale, () => cycle(store, sale, true))),
  DRAFT: ofSale((store, sale) => whenDue(store, sale, () => cycle(store, sale, false))),
  FAIL: ofSale(fail),
  SETTLE: ofSale((store, sale) => {
    if (!isPaid(store, sale)) turns.settle(store.world, sale.id)
  }),
  GIVE_UP: ofSale((store, sale, pick) => {
    if (sale.status === 'past_due') turns.giveUp(store.world, sale.id, pick % 2 === 0 ? 'unpaid' : 'canceled')
  }),
  CANCEL: ofSale((store, sale) => {
    if (!sale.cancel_at_period_end && !sale.schedule) turns.cancelAtPeriodEnd(store.world, sale.id)
  }),
  UNDO: ofSale((store, sale) => {
    if (sale.cancel_at_period_end) turns.undoCancel(store.world, sale.id)
  }),
  END: ofSale((store, sale) => turns.endNow(store.world, sale.id)),
  PAUSE: ofPaid((store, sale) => turns.pauseCollection(store.world, sale.id)),
  RESUME: ofSale((store, sale) => {
    if (sale.pause_collection) turns.resume(store.world, sale.id)
  }),
  ADD: ofUnplanned((store, sale, pick) => {
    const priceId = freePrice(sale, pick)
    if (priceId) addItem(store.world, sale.id, priceId)
  }),
  REMOVE: ofUnplanned((store, { id, items }, pick) => {
    if (items.data.length > 1) removeItem(store.world, id, itemAt(items.data, pick).id)
  }),
  SEATS: ofUnplanned((store, sale, pick) => {
    const item = itemAt(sale.items.data, pick)
    settleBalance(store, setQuantity(store.world, sale.id, item.id, 1 + (((item.quantity ?? 1) + pick) % 4)))
  }),
  SEATS_LATER: ofUnplanned((store, sale, pick) => {
    const item = itemAt(sale.items.data, pick)
    changeLater(store, sale, item, item, () =>
      Object.assign(item, { quantity: 1 + (((item.quantity ?? 1) + pick) % 4) }),
    )
  }),
  SWAP: ofUnplanned(swap),
  SWITCH: ofUnplanned(switchPrice),
  SCHEDULE: ofUnplanned((store, sale, pick) => {
    const next = freePrice(sale, pick)
    if (next && sale.items.data.length === 1 && !sale.cancel_at_period_end) schedulePrice(store.world, sale.id, next)
  }),
  DISCOUNT: ofPaid((store, sale, pick) => {
    const item = itemAt(sale.items.data, pick)
    discountItem(store.world, sale.id, item.id, 10 * (1 + (pick % 5)))
  }),
  BALANCE: ofSale((store, sale, pick) => {
    addCredit(store.world, sale.id, [300, 1200, 9000][pick % 3] ?? 300)
    store.world.emit('customer.subscription.updated', sale)
  }),
  REFUND: (store, pick) => refund(store, pick, (left) => left),
  REFUND_PART: (store, pick) => refund(store, pick, (left) => Math.ceil(left / (2 + (pick % 3)))),
  FAIL_REFUND: failLastRefund,
  NOTE: (store, pick) => note(store, pick, true),
  NOTE_PART: (store, pick) => note(store, pick, false),
  LOSE: lose,
  CHECKOUT: checkout,
  BILL: (store, pick) => {
    const { world, metadata } = store
    payBill(world, billOnce(world, { prices: cartAt(pick), metadata }))
  },
} as const satisfies Record<string, Turn>

export type ItemTurn = keyof typeof ITEM_TURNS

export const newestSale = ({ world }: TestStore): Stripe.Subscription | null =>
  [...world.subscriptions.values()].at(-1) ?? null

/** When the provider acts by itself. */
export const nextChangeAt = (sale: Stripe.Subscription): number =>
  sale.status === 'canceled' ? Number.POSITIVE_INFINITY : itemOf(sale).current_period_end * 1000

/** A price that the subscription does not have, for it can have each only once; undefined when it has all. */
const freePrice = ({ items }: Stripe.Subscription, pick: number): ItemPrice | undefined =>
  pickFrom(
    MONTHLY.filter((id) => items.data.every(({ price }) => price.id !== id)),
    pick,
  )

function itemAt(items: readonly Item[], pick: number): Item {
  const item = items[pick % items.length]
  if (!item) throw new RangeError('A subscription has an item')
  return item
}

const OPENINGS: readonly (readonly ItemPrice[])[] = [
  ['price_monthly'],
  ['price_monthly', 'price_nobody'],
  ['price_nobody', 'price_team'],
  ['price_monthly', 'price_team', 'price_nobody'],
  ['price_team'],
]

function buy(store: ItemsStore, pick: number): void {
  const held = newestSale(store)
  if (held && held.status !== 'canceled') return
  const [priceId = 'price_monthly', ...others] = OPENINGS[pick % OPENINGS.length] ?? []
  const trial = pick % 4 === 3 ? { trialDays: 7 } : {}
  // The others have the classic billing mode, in which only the invoice item of a proration names its item.
  const isFlexible = pick % 3 !== 1
  subscribe(store.world, { priceId, others, metadata: store.metadata, isFlexible, ...trial })
}

const newestInvoice = ({ world }: TestStore, { latest_invoice }: Stripe.Subscription): Stripe.Invoice =>
  getFrom(world.invoices, typeof latest_invoice === 'string' ? latest_invoice : '')

const isPaid = (store: TestStore, sale: Stripe.Subscription): boolean => newestInvoice(store, sale).status === 'paid'

function whenDue(store: ItemsStore, sale: Stripe.Subscription, turn: () => void): void {
  if (!isPaid(store, sale) || sale.cancel_at_period_end || sale.pause_collection) return
  store.clock.goTo(Math.max(store.clock.now(), itemOf(sale).current_period_end * 1000))
  turn()
}

/** A new period starts. Its invoice also has the lines of changes within the period before it. */
function cycle(store: ItemsStore, sale: Stripe.Subscription, isSettled: boolean): void {
  const { world, later } = store
  const draft = turns.beginPeriod(world, sale.id)
  const lines = [...(later.get(sale.id) ?? []), ...draft.lines.data]
  later.delete(sale.id)
  // The invoice is made again, as it is with all of its lines.
  const credited = (draft.starting_balance ?? 0) - (draft.ending_balance ?? draft.starting_balance ?? 0)
  getFrom(world.customers, String(sale.customer)).balance += credited
  world.invoices.delete(draft.id)
  const invoice = bill(world, sale, 'subscription_cycle', lines)
  invoice.status = 'draft'
  settleBalance(store, invoice)
  if (isSettled) turns.settle(world, sale.id)
}

function fail(store: ItemsStore, sale: Stripe.Subscription): void {
  if (newestInvoice(store, sale).status === 'draft') return void turns.failPayment(store.world, sale.id)
  whenDue(store, sale, () => {
    cycle(store, sale, false)
    turns.failPayment(store.world, sale.id)
  })
}

/** What an invoice credits beyond its charges is a balance for later invoices. */
function settleBalance({ world }: ItemsStore, { total, customer }: Stripe.Invoice): void {
  if (total < 0) getFrom(world.customers, String(customer)).balance += total
}

/** The lines of a change within the period: the rest of the period as it was is credited, as it is now is charged. */
function prorations(store: ItemsStore, sale: Stripe.Subscription, before: Item, after: () => Item) {
  const { world } = store
  const { current_period_start: start, current_period_end: end } = itemOf(sale)
  const rest = (end - world.now) / (end - start)
  const lineFor = ({ id, price, quantity = 1 }: Item, sign: number) => {
    const amount = sign * Math.round((price.unit_amount ?? 0) * quantity * rest)
    return lineOf(world, sale, price, { amount, start: world.now, end, isProration: true, item: id, quantity })
  }
  const credit = lineFor(before, -1)
  return [credit, lineFor(after(), 1)]
}

function changeLater(
  store: ItemsStore,
  sale: Stripe.Subscription,
  before: Item,
  after: Item,
  change: () => void,
): void {
  const lines = prorations(store, sale, before, () => {
    change()
    return after
  })
  store.later.set(sale.id, [...(store.later.get(sale.id) ?? []), ...lines])
  store.world.emit('customer.subscription.updated', sale)
}

/** Another item takes the place of one, within the period; billed at once or with the next period. */
function swap(store: ItemsStore, sale: Stripe.Subscription, pick: number): void {
  const { world } = store
  const old = itemAt(sale.items.data, pick)
  const { id: subscription } = sale
  const priceId = freePrice(sale, pick)
  if (!priceId) return
  const price = getFrom(world.prices, priceId)
  const { current_period_start, current_period_end } = old
  const members = { id: world.nextId('si'), subscription, price, created: world.now }
  const item = toItem({ ...members, current_period_start, current_period_end })
  const change = () => {
    sale.items.data = [...sale.items.data.filter(({ id }) => id !== old.id), item]
  }
  if (pick % 2 === 0) {
    changeLater(store, sale, old, item, change)
    return
  }
  const lines = prorations(store, sale, old, () => {
    change()
    return item
  })
  const invoice = bill(world, sale, 'subscription_update', lines)
  payInvoice(world, invoice)
  settleBalance(store, invoice)
  world.emit('customer.subscription.updated', sale)
  world.emit('invoice.paid', invoice)
}

/** Another price of an item from a new period on, which starts now for all items. */
function switchPrice(store: ItemsStore, sale: Stripe.Subscription, pick: number): void {
  const { world } = store
  const item = itemAt(sale.items.data, pick)
  const priceId = freePrice(sale, pick)
  if (!priceId) return
  item.price = getFrom(world.prices, priceId)
  for (const one of sale.items.data)
    Object.assign(one, { current_period_start: world.now, current_period_end: periodEnd(one.price, world.now) })
  if (sale.cancel_at_period_end) sale.cancel_at = item.current_period_end
  const invoice = bill(world, sale, 'subscription_update', periodLines(world, sale))
  payInvoice(world, invoice)
  world.emit('customer.subscription.updated', sale)
  world.emit('invoice.paid', invoice)
}

const pickFrom = <One>(all: readonly One[], pick: number): One | undefined => all[pick % (all.length || 1)]

/** Charges that can be refunded, the newest first. */
const openCharges = ({ world }: TestStore): Stripe.Charge[] =>
  [...world.charges.values()].filter(({ refunded, disputed }) => !refunded && !disputed).reverse()

function refund(store: ItemsStore, pick: number, share: (left: number) => number): void {
  const charge = pickFrom(openCharges(store), pick)
  if (charge) refundCharge(store.world, charge.id, share(charge.amount - charge.amount_refunded))
}

/** The bank returns the money of a refund that no credit note names. */
function failLastRefund(store: ItemsStore, pick: number): void {
  const noted = [...store.world.creditNotes.values()].flatMap(({ refunds }) => refunds.map((one) => one.refund))
  const sent = [...store.world.refunds.values()].filter(
    ({ id, status }) => status === 'succeeded' && !noted.includes(id),
  )
  const refunded = pickFrom(sent.reverse(), pick)
  if (refunded) failRefund(store.world, refunded.id)
}

/** The seller returns a line of an invoice, completely or in part. */
function note(store: ItemsStore, pick: number, isWhole: boolean): void {
  const { world } = store
  const bills = [...world.invoices.values()].filter(({ amount_paid }) => amount_paid > 0)
  const invoice = pickFrom(bills.reverse(), Math.floor(pick / 3))
  if (!invoice) return
  const { amount, amount_refunded, disputed } = getFrom(world.charges, chargeOfInvoice(world, invoice.id))
  const line = pickFrom(
    invoice.lines.data.filter((one) => one.amount > 0),
    pick,
  )
  const left = Math.min(amount - amount_refunded, line?.amount ?? 0)
  if (!line || left === 0 || disputed) return
  creditLines(world, invoice.id, [{ lineId: line.id, amount: isWhole ? left : Math.ceil(left / 3) }])
}

function lose(store: ItemsStore, pick: number): void {
  const charge = pickFrom(openCharges(store), pick)
  if (charge) closeDispute(store.world, openDispute(store.world, charge.id).id, 'lost')
}

const CARTS: readonly (readonly ItemPrice[])[] = [
  ['price_coins', 'price_lifetime'],
  ['price_gift', 'price_coins'],
  ['price_lifetime', 'price_gift', 'price_coins'],
  ['price_coins'],
  ['price_lifetime'],
]
const cartAt = (pick: number): readonly ItemPrice[] => CARTS[pick % CARTS.length] ?? ['price_coins']

function checkout({ world, metadata }: ItemsStore, pick: number): void {
  const [priceId = 'price_coins', ...others] = cartAt(pick)
  const request = { mode: 'payment', priceId, others, customer: null, trialDays: 0 } as const
  const urls = { successUrl: null, cancelUrl: null }
  const session = openCheckout(world, {
    ...request,
    ...urls,
    metadata,
    saleMetadata: metadata,
    hasInvoice: pick % 2 === 1,
  })
  completeCheckout(world, session.id, pick % 6 === 4)
}
