import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, SECOND } from '../../src/base/lib/clock'
import type { PurchaseStatus } from '../../src/core/purchase/status'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { statusAt } from '../../src/people/purchases/status'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../src/test-store/stores/payment-checkout'
import {
  chargeOfIntent,
  chargeOfInvoice,
  closeDispute,
  failRefund,
  openDispute,
  refundCharge,
} from '../../src/test-store/stores/payment-returns'
import * as turns from '../../src/test-store/stores/payment-turns'
import type { PaymentWorld } from '../../src/test-store/stores/payment-world'
import { balances, changeSettings, lastEvent, listenTo, money } from '../support/facts'
import { storeEvents } from '../support/notify'
import { type PaymentStage, paymentStage } from '../support/payment'

let s: PaymentStage
let newEvents: () => Promise<string[]>
let subscriberId = ''
const START = Date.UTC(2026, 10, 20, 8)
beforeEach(async () => {
  s = await paymentStage()
  subscriberId = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber.id
  newEvents = listenTo(s, 'svc_ada')
})
afterEach(() => s.close())

const buy = (trialDays = 0, priceId = 'price_monthly') =>
  subscribe(s.world, { priceId, trialDays, metadata: { svc_subscriber_id: subscriberId } }).id

/** Pays the checkout of a one-time product. */
function pay(priceId: string, isFree = false): string {
  const metadata = { svc_subscriber_id: subscriberId, svc_price_id: priceId }
  const common = { customer: null, successUrl: null, cancelUrl: null, trialDays: 0 }
  const order = { mode: 'payment', priceId, metadata, saleMetadata: metadata, ...common } as const
  const { payment_intent } = completeCheckout(s.world, openCheckout(s.world, order).id, isFree)
  return String(payment_intent)
}

const invoiceOf = (id: string) => String(s.world.subscriptions.get(id)?.latest_invoice)
const chargeOf = (id: string) => chargeOfInvoice(s.world, invoiceOf(id))

async function purchase() {
  const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
  expect(rows).toHaveLength(1)
  const [{ fold } = { fold: undefined }] = rows
  if (!fold) throw new Error('nothing was bought')
  return statusAt(fold, s.ctx.clock.now())
}

const hasAccess = async () => Object.keys((await s.get('/v1/me/access', 'svc_ada')).body.data.access)

/** Moves the clock to a day after the start, makes a change there, delivers its events and returns the result. */
async function on(day: number, turn: (world: PaymentWorld) => unknown) {
  s.ctx.clock.set(START + day * DAY)
  turn(s.world)
  expect((await s.deliverAll()).map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
  const failed = (await storeEvents(s)).filter(({ status }) => status === 'FAILED')
  expect(failed.map(({ error }) => error)).toEqual([])
  return { events: await newEvents(), status: (await purchase()).status, access: await hasAccess() }
}

interface Row {
  name: string
  settings?: object
  trialDays?: number
  before?: [day: number, turn: (world: PaymentWorld, id: string) => unknown][]
  day: number
  turn: (world: PaymentWorld, id: string) => unknown
  status: PurchaseStatus
  access: string[]
  events: string[]
}

const LOST = 'entitlement.revoked'
const NOTHING: string[] = []
const lose = (world: PaymentWorld, id: string) => {
  const { id: dispute } = openDispute(
    world,
    chargeOfInvoice(world, String(world.subscriptions.get(id)?.latest_invoice)),
  )
  closeDispute(world, dispute, 'lost')
}

/** Events of a subscription to `pro_monthly`, which runs for 30 days from the start (wire 5.5). */
const ROWS: Row[] = [
  {
    name: 'a renewal',
    day: 30,
    turn: turns.renew,
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.renewed'],
  },
  {
    name: 'the first payment after a trial',
    trialDays: 7,
    day: 7,
    turn: turns.renew,
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.trial_converted'],
  },
  {
    name: 'cancel_at_period_end',
    day: 10,
    turn: turns.cancelAtPeriodEnd,
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.cancelled'],
  },
  {
    name: 'cancel_at_period_end taken back',
    before: [[10, turns.cancelAtPeriodEnd]],
    day: 11,
    turn: turns.undoCancel,
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.uncancelled'],
  },
  {
    name: 'past_due, in the days of grace',
    day: 30,
    turn: turns.failPayment,
    status: 'GRACE_PERIOD',
    access: ['pro'],
    events: ['purchase.billing_issue', 'purchase.grace_period'],
  },
  {
    name: 'past_due that is paid',
    before: [[30, turns.failPayment]],
    day: 32,
    turn: turns.settle,
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.recovered'],
  },
  {
    name: 'unpaid',
    before: [[30, turns.failPayment]],
    day: 33,
    turn: (world, id) => turns.giveUp(world, id, 'unpaid'),
    status: 'BILLING_RETRY',
    access: NOTHING,
    events: ['purchase.billing_issue', LOST],
  },
  {
    name: 'given up by the provider',
    before: [[30, turns.failPayment]],
    day: 33,
    turn: (world, id) => turns.giveUp(world, id, 'canceled'),
    status: 'EXPIRED',
    access: NOTHING,
    events: ['purchase.expired', LOST],
  },
  {
    name: 'collection paused, in the paid period',
    settings: { pausedCollection: 'noAccess' },
    day: 10,
    turn: turns.pauseCollection,
    status: 'ACTIVE',
    access: ['pro'],
    events: NOTHING,
  },
  {
    name: 'collection paused, beyond the paid period',
    before: [[10, turns.pauseCollection]],
    day: 30,
    turn: turns.beginPeriod,
    status: 'ACTIVE',
    access: ['pro'],
    events: NOTHING,
  },
  {
    name: 'collection paused, beyond the paid period, in a project that wants the access to end then',
    settings: { pausedCollection: 'noAccess' },
    before: [[10, turns.pauseCollection]],
    day: 30,
    turn: turns.beginPeriod,
    status: 'PAUSED',
    access: NOTHING,
    events: ['purchase.paused', LOST],
  },
  {
    name: 'status paused',
    trialDays: 7,
    day: 7,
    turn: turns.pause,
    status: 'PAUSED',
    access: NOTHING,
    events: ['purchase.paused', LOST],
  },
  {
    name: 'resumed',
    trialDays: 7,
    before: [[7, turns.pause]],
    day: 9,
    turn: (world, id) => {
      turns.resume(world, id)
      turns.renew(world, id)
    },
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.resumed', 'entitlement.granted'],
  },
  {
    name: 'customer.subscription.deleted',
    day: 12,
    turn: turns.endNow,
    status: 'EXPIRED',
    access: NOTHING,
    events: ['purchase.expired', LOST],
  },
  {
    name: 'charge.refunded, all of it',
    day: 5,
    turn: (world) => refundCharge(world, [...world.charges.keys()].at(-1) ?? ''),
    status: 'REFUNDED',
    access: NOTHING,
    events: ['purchase.refunded', LOST],
  },
  {
    name: 'charge.refunded, in part',
    day: 5,
    turn: (world) => refundCharge(world, [...world.charges.keys()].at(-1) ?? '', 300),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.refunded'],
  },
  {
    name: 'a refund that failed',
    before: [[5, (world) => refundCharge(world, [...world.charges.keys()].at(-1) ?? '')]],
    day: 7,
    turn: (world) => failRefund(world, [...world.refunds.keys()].at(-1) ?? ''),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.refund_reversed', 'entitlement.granted'],
  },
  {
    name: 'a dispute that is open',
    day: 5,
    turn: (world) => openDispute(world, [...world.charges.keys()].at(-1) ?? ''),
    status: 'ACTIVE',
    access: ['pro'],
    events: NOTHING,
  },
  {
    name: 'charge.dispute.closed, lost',
    day: 5,
    turn: lose,
    status: 'REFUNDED',
    access: NOTHING,
    events: ['purchase.refunded', LOST],
  },
  {
    name: 'charge.dispute.closed, won',
    before: [[5, lose]],
    day: 20,
    turn: (world) => closeDispute(world, [...world.disputes.keys()].at(-1) ?? '', 'won'),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.refund_reversed', 'entitlement.granted'],
  },
]

describe('of a subscription', () => {
  for (const { name, settings = {}, trialDays, before = [], day, turn, status, access, events } of ROWS)
    test(name, async () => {
      await changeSettings(s, settings)
      const id = buy(trialDays)
      await on(0, () => {})
      for (const [at, earlier] of before) await on(at, (world) => earlier(world, id))
      const { events: all, ...rest } = await on(day, (world) => turn(world, id))
      expect({ ...rest, events: all }).toEqual({ status, access, events })
    })

  test('active', async () => {
    expect(await on(0, () => buy())).toEqual({
      status: 'ACTIVE',
      access: ['pro'],
      events: ['purchase.initial', 'entitlement.granted'],
    })
  })

  test('trialing', async () => {
    expect(await on(0, () => buy(7))).toEqual({
      status: 'TRIAL',
      access: ['pro'],
      events: ['purchase.trial_started', 'entitlement.granted'],
    })
    expect(await money(s, subscriberId)).toEqual([['TRIAL', 0]])
  })

  test('incomplete makes no purchase, and incomplete_expired none either', async () => {
    const id = buy()
    const subscription = s.world.subscriptions.get(id)
    const invoice = s.world.invoices.get(invoiceOf(id))
    Object.assign(invoice ?? {}, { status: 'open', amount_paid: 0 })
    for (const status of ['incomplete', 'incomplete_expired'] as const) {
      Object.assign(subscription ?? {}, { status, ended_at: status === 'incomplete' ? null : s.world.now })
      s.world.emit('customer.subscription.updated', subscription ?? { id, object: 'subscription' })
      await s.deliverAll()
      expect([status, await newEvents(), await hasAccess()]).toEqual([status, [], []])
    }
    const statuses = (await storeEvents(s)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set(['IGNORED']))
  })

  test('invoice.paid says why: renewal, then a change of product now', async () => {
    const id = buy()
    await on(0, () => {})
    await on(30, (world) => turns.renew(world, id))
    const { events, access } = await on(40, (world) => turns.changePrice(world, id, 'price_yearly'))
    expect(events).toEqual(['purchase.charged', 'purchase.product_changed', 'entitlement.granted'])
    expect(access.sort()).toEqual(['coach', 'pro'])
    const kinds = (await money(s, subscriberId)).map(([kind]) => kind)
    expect(kinds).toEqual(['INITIAL', 'RENEWAL', 'ADJUSTMENT'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.product_changed')).data).toMatchObject({ effective: 'NOW' })
  })

  test('past_due keeps access for providerGraceDays, and then no more', async () => {
    await changeSettings(s, { providerGraceDays: 3 })
    const id = buy()
    await on(0, () => {})
    await on(30, (world) => turns.failPayment(world, id))
    const end = START + 30 * DAY
    expect(await purchase()).toMatchObject({ expiresAt: end, gracePeriodExpiresAt: end + 3 * DAY })
    s.ctx.clock.set(end + 3 * DAY - 1)
    expect(await hasAccess()).toEqual(['pro'])
    s.ctx.clock.set(end + 3 * DAY)
    expect(await hasAccess()).toEqual([])
    await sweepPurchases(s.ctx)
    expect(await newEvents()).toContain(LOST)
  })

  test('canceled says why it ended', async () => {
    const id = buy()
    await on(0, () => {})
    await on(3, (world) => turns.endNow(world, id, 'cancellation_requested'))
    expect((await lastEvent(s, 'svc_ada', 'purchase.expired')).data.reason).toBe('UNSUBSCRIBED')
    const other = buy()
    await s.deliverAll()
    s.ctx.clock.advance(SECOND)
    turns.endNow(s.world, other, 'payment_failed')
    await s.deliverAll()
    expect((await lastEvent(s, 'svc_ada', 'purchase.expired')).data.reason).toBe('BILLING_ERROR')
  })
})

describe('money that goes back', () => {
  test('in part takes money only, and the last part takes access', async () => {
    const id = buy()
    await on(0, () => {})
    await on(1, (world) => refundCharge(world, chargeOf(id), 300))
    expect(await money(s, subscriberId)).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -3_000_000],
    ])
    const { status } = await on(2, (world) => refundCharge(world, chargeOf(id)))
    expect(status).toBe('REFUNDED')
    const sum = (await money(s, subscriberId)).reduce((total, [, amount]) => total + (amount ?? 0), 0)
    expect(sum).toBe(0)
  })

  test('of an earlier period leaves the present one', async () => {
    const id = buy()
    await on(0, () => {})
    const first = chargeOf(id)
    await on(30, (world) => turns.renew(world, id))
    expect(await on(35, (world) => refundCharge(world, first))).toMatchObject({ status: 'ACTIVE', access: ['pro'] })
    expect((await lastEvent(s, 'svc_ada', 'purchase.refunded')).data.current).toBe(false)
    expect(await money(s, subscriberId)).toEqual([
      ['INITIAL', 9_990_000],
      ['RENEWAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
  })

  test('by a lost dispute is a chargeback, once, also when it was refunded before', async () => {
    const id = buy()
    await on(0, () => {})
    await on(5, (world) => lose(world, id))
    expect(await money(s, subscriberId)).toEqual([
      ['INITIAL', 9_990_000],
      ['CHARGEBACK', -9_990_000],
    ])
  })
})

describe('of a one-time product', () => {
  test('a payment gives it for good', async () => {
    expect(await on(0, () => pay('price_lifetime'))).toEqual({
      status: 'ACTIVE',
      access: ['pro'],
      events: ['purchase.non_renewing', 'entitlement.granted'],
    })
    expect(await money(s, subscriberId)).toEqual([['NON_RENEWING_PURCHASE', 199_990_000]])
  })

  test('a consumable is granted once, however often it is told', async () => {
    const { events } = await on(0, () => pay('price_coins'))
    expect(events).toContain('currency.transaction')
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 100 })
    for (const event of [...s.world.events]) s.world.emit(event.type as 'payment_intent.succeeded', event.data.object)
    await s.deliverAll()
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 100 })
    expect(await newEvents()).toEqual([])
  })

  test('one that a coupon made free is a purchase over nothing', async () => {
    await on(0, () => pay('price_lifetime', true))
    expect(await hasAccess()).toEqual(['pro'])
    expect((await money(s, subscriberId)).map(([, amount]) => amount)).toEqual([0])
  })

  test('a refund takes it back, and its failure gives it again', async () => {
    let intent = ''
    await on(0, () => {
      intent = pay('price_lifetime')
    })
    const { status } = await on(2, (world) => refundCharge(world, chargeOfIntent(world, intent)))
    expect([status, await hasAccess()]).toEqual(['REFUNDED', []])
    await on(3, (world) => failRefund(world, [...world.refunds.keys()].at(-1) ?? ''))
    expect(await hasAccess()).toEqual(['pro'])
  })

  test('a session that is complete and unpaid gives nothing until it is paid', async () => {
    const intent = pay('price_lifetime')
    const [session] = [...s.world.sessions.values()]
    const payment = s.world.intents.get(intent)
    Object.assign(payment ?? {}, { status: 'processing' })
    await s.deliverAll()
    expect([await newEvents(), await hasAccess()]).toEqual([[], []])
    Object.assign(payment ?? {}, { status: 'succeeded' })
    if (session) s.world.emit('checkout.session.async_payment_succeeded', session)
    await s.deliverAll()
    expect(await hasAccess()).toEqual(['pro'])
  })
})
