import { DAY, SECOND } from '../../base/lib/clock'
import { addPeriod } from '../../base/lib/period'
import { toSmallestUnit } from '../../stores/payment/currency'
import { refused, type Turn, type Turned, type TurnOrder } from './life'
import { addPrice, itemOf } from './payment-billing'
import { attempt, cancelIntent, expireSale, openIntentOf } from './payment-intents'
import {
  announcePrice,
  changeSeats,
  giveCredit,
  joinItem,
  leaveItem,
  refundItem,
  type Taking,
} from './payment-item-turns'
import { moveDates, type PaymentLife, priceOf, toldOf } from './payment-life'
import { chargeOfIntent, chargeOfInvoice, failRefund, refundCharge } from './payment-returns'
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
} from './payment-turns'
import { getFrom, PaymentWorld } from './payment-world'

const RETRY_MS = 21 * DAY

type Handler = (taking: Taking) => string | null

/** Takes a turn. A turn that the provider takes by itself first moves the end of the running period to now. */
export function turnPayment(life: PaymentLife, given: TurnOrder): Turned<PaymentLife> {
  // The provider's dates have whole seconds. Within one second its ids show the order.
  const now = Math.max(given.now, life.lastAt + 1)
  const order = { ...given, now }
  const world = PaymentWorld.read(life.world, { now: () => now })
  const id = life.subscriptionId
  if (life.open && order.turn !== 'settle' && order.turn !== 'expire')
    return refused('It is not paid yet; go on with: svc simulate settle --payment ID')
  if (life.open) return endOpen(life, world, order)
  if (id === null && order.turn !== 'refund' && order.turn !== 'reverse-refund')
    return refused('It is no subscription.')
  const status = id === null ? 'paid' : getFrom(world.subscriptions, id).status
  const why = HANDLERS[order.turn]({ life, world, id: id ?? '', status, order })
  if (why !== null) return refused(why)
  const terms = order.turn === 'upgrade' || order.turn === 'downgrade' ? (order.to ?? life.terms) : life.terms
  const retryUntil = order.turn === 'billing-issue' ? now + RETRY_MS : life.retryUntil
  return { ok: true, lives: [{ ...life, terms, retryUntil, world: world.write(), lastAt: now }], told: toldOf(world) }
}

/** A payment that takes days settles or fails, or the sale ends unpaid. */
function endOpen(life: PaymentLife, world: PaymentWorld, { turn, now, hasFailed = false }: TurnOrder) {
  const { open, ...rest } = life
  const subscription = life.subscriptionId === null ? null : getFrom(world.subscriptions, life.subscriptionId)
  const intentId = subscription ? openIntentOf(world, subscription) : life.intentId
  if (!open || intentId === null) return refused('It waits for no payment.')
  if (turn === 'settle' && open.settlesAt === null) return refused('Its payment has not begun.')
  if (turn === 'settle') attempt(world, intentId, hasFailed ? 'declined' : 'succeeded')
  else if (subscription) expireSale(world, subscription)
  else cancelIntent(getFrom(world.intents, intentId))
  const stillOpen = turn === 'settle' && hasFailed ? { open: { ...open, settlesAt: null } } : {}
  const changed = { ...rest, ...stillOpen, world: world.write(), lastAt: now }
  return { ok: true as const, lives: [changed], told: toldOf(world) }
}

const RUNNING = ['active', 'trialing']

/** Takes the turn when the subscription is in one of the states, else returns the reason for the refusal. */
const during =
  (states: readonly string[], why: string, command: (taking: Taking) => unknown): Handler =>
  (taking) => {
    if (!states.includes(taking.status)) return why
    command(taking)
    return null
  }

const never =
  (why: string): Handler =>
  () =>
    why

const HANDLERS: Record<Turn, Handler> = {
  renew: during(RUNNING, 'Nothing will be charged; go on with recover or resume.', (taking) => {
    end(taking)
    renew(taking.world, taking.id)
  }),
  'billing-issue': during(
    RUNNING,
    'Nothing is charged: it is paused or ended, or a charge has failed already.',
    (taking) => {
      end(taking)
      beginPeriod(taking.world, taking.id)
      failPayment(taking.world, taking.id)
    },
  ),
  'grace-expire': during(['past_due'], 'No charge of it has failed.', ({ world, id }) => giveUp(world, id, 'unpaid')),
  recover: during(['past_due', 'unpaid'], 'No charge of it has failed.', ({ world, id }) => settle(world, id)),
  cancel: (taking) => flip(taking, true, 'It is cancelled already.'),
  uncancel: (taking) => flip(taking, false, 'It is not cancelled.'),
  expire: during([...RUNNING, 'past_due', 'unpaid', 'paused'], 'It has ended already.', (taking) => {
    const isUnpaid = taking.status === 'past_due' || taking.status === 'unpaid'
    end(taking)
    endNow(taking.world, taking.id, isUnpaid ? 'payment_failed' : 'cancellation_requested')
  }),
  pause: during(RUNNING, 'Only an active subscription can be paused.', ({ world, id, order }) =>
    pauseCollection(world, id, Math.floor(addPeriod(order.now, 'P1M') / SECOND)),
  ),
  resume: ({ world, id }) => {
    const { pause_collection, status } = getFrom(world.subscriptions, id)
    if (!pause_collection && status !== 'paused') return 'It is not paused.'
    resume(world, id)
    return null
  },
  refund,
  'reverse-refund': ({ world }) => {
    const last = [...world.refunds.values()].findLast(({ status }) => status === 'succeeded')
    if (!last) return 'No refund of it can be reversed.'
    failRefund(world, last.id)
    return null
  },
  'add-item': joinItem,
  'remove-item': leaveItem,
  seats: changeSeats,
  schedule: announcePrice,
  credit: giveCredit,
  upgrade: (taking) => change(taking, true),
  downgrade: (taking) => change(taking, false),
  revoke: never('The payment provider takes nothing away without a refund; use refund or expire.'),
  settle: never('Its payment is settled already.'),
  'price-increase': never('The payment provider asks nobody to agree to a price; use upgrade --to ID.'),
  'accept-price': never('The payment provider asks nobody to agree to a price; use upgrade --to ID.'),
  restore: never('A purchase in a browser needs no restore: it belongs to the customer.'),
  extend: never('The payment provider gives no days for free.'),
}

/** Moves the end of the running period, and of the paid period, to now. */
function end({ world, id, order }: Taking): void {
  const seconds = Math.floor(order.now / SECOND)
  const toNow = <Kind>(object: Kind): Kind => moveDates(object, (at) => Math.min(at, seconds))
  world.subscriptions.set(id, toNow(getFrom(world.subscriptions, id)))
  for (const [key, invoice] of world.invoices) world.invoices.set(key, toNow(invoice))
}

function flip({ world, id, status }: Taking, wanted: boolean, why: string): string | null {
  const subscription = getFrom(world.subscriptions, id)
  if (status === 'canceled') return 'It has ended already.'
  if (subscription.cancel_at_period_end === wanted) return why
  ;(wanted ? cancelAtPeriodEnd : undoCancel)(world, id)
  return null
}

function refund(taking: Taking): string | null {
  const { life, world, order } = taking
  if (order.item) return life.subscriptionId === null ? 'It is no subscription.' : refundItem(taking)
  const chargeId = chargeOf(life, world)
  const charge = chargeId === null ? null : getFrom(world.charges, chargeId)
  if (!charge) return 'Nothing was charged yet.'
  const { currency } = charge
  const amount = order.amountMicros ? toSmallestUnit({ amountMicros: order.amountMicros, currency }) : null
  const left = charge.amount - charge.amount_refunded
  if (left === 0) return 'It was given back already.'
  if (amount !== null && amount > left) return 'That is more than is left of the charge.'
  refundCharge(world, charge.id, amount)
  return null
}

function chargeOf({ intentId }: PaymentLife, world: PaymentWorld): string | null {
  if (intentId !== null) return chargeOfIntent(world, intentId)
  const paid = [...world.invoices.values()].findLast(({ status, amount_paid }) => status === 'paid' && amount_paid > 0)
  return paid ? chargeOfInvoice(world, paid.id) : null
}

function change({ world, id, status, order }: Taking, isBilled: boolean): string | null {
  const { to } = order
  if (!to) return 'Name the product with --to.'
  if (!RUNNING.includes(status)) return 'Only a running subscription can be changed.'
  const { price } = itemOf(getFrom(world.subscriptions, id))
  if (price.id === to.productId) return 'It is that product already.'
  if (!world.prices.has(to.productId)) addPrice(world, priceOf(to))
  changePrice(world, id, to.productId, isBilled)
  return null
}
