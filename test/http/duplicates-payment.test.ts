import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { type SignedDelivery, signEvent } from '../../src/test-store/stores/payment-events'
import { closeDispute, failRefund, openDispute, refundCharge } from '../../src/test-store/stores/payment-returns'
import * as turns from '../../src/test-store/stores/payment-turns'
import type { PaymentWorld, SimulatedEvent } from '../../src/test-store/stores/payment-world'
import type { Answer } from '../support/cast'
import { changeSettings, eventTypes, money, rowOf } from '../support/facts'
import { type PaymentStage, paymentStage } from '../support/payment'
import { chargeOf, payOnWeb, subscribeOnWeb } from '../support/web'

let s: PaymentStage
beforeAll(async () => {
  s = await paymentStage()
  await changeSettings(s, { clawback: 'full' })
})
afterAll(() => s.close())

const PATIENCE_MS = 600_000

/** A customer's device and its purchase. */
interface Sale {
  device: string
  id: string
}

type Sell = (device: string) => Promise<string>
type Turn = (world: PaymentWorld, sale: Sale) => unknown

const subscribe =
  (slot: '$svc_monthly' | '$svc_annual' = '$svc_monthly', trialDays = 0): Sell =>
  (device) =>
    subscribeOnWeb(s, device, { slot, trialDays })
const pay =
  (priceId: string, isFree = false): Sell =>
  async (device) =>
    payOnWeb(s, priceId, { subscriberId: (await rowOf(s, device)).id, isFree })
const month = subscribe()
const year = subscribe('$svc_annual')

const of =
  (turn: (world: PaymentWorld, id: string) => unknown): Turn =>
  (world, { id }) =>
    turn(world, id)
const refund =
  (amount: number | null): Turn =>
  (world, { id }) =>
    refundCharge(world, chargeOf(s, id), amount)
const dispute =
  (...ends: ('lost' | 'won')[]): Turn =>
  (world, { id }) => {
    const charge = chargeOf(s, id)
    const opened = [...world.disputes.values()].find((one) => one.charge === charge) ?? openDispute(world, charge)
    for (const end of ends) closeDispute(world, opened.id, end)
  }
const failRefundOf: Turn = (world, { id }) => {
  const charge = chargeOf(s, id)
  failRefund(world, [...world.refunds.values()].find((one) => one.charge === charge)?.id ?? '')
}

interface Row {
  type: string
  name?: string
  sell: Sell
  /**
   * Days after the purchase. Events of all changes but the last are delivered before. Without changes, the events of
   * the purchase are used.
   */
  turns?: [day: number, turn: Turn][]
}

const CREATED = 'customer.subscription.created'
const UPDATED = 'customer.subscription.updated'
const DELETED = 'customer.subscription.deleted'
const REFUNDED = 'charge.refunded'
const CLOSED = 'charge.dispute.closed'
const COMPLETED = 'checkout.session.completed'

const ROWS: Row[] = [
  { type: CREATED, sell: year },
  { type: CREATED, name: 'on trial', sell: subscribe('$svc_monthly', 7) },
  { type: UPDATED, name: 'cancelled', sell: month, turns: [[3, of(turns.cancelAtPeriodEnd)]] },
  {
    type: UPDATED,
    name: 'not cancelled any more',
    sell: month,
    turns: [
      [3, of(turns.cancelAtPeriodEnd)],
      [4, of(turns.undoCancel)],
    ],
  },
  { type: UPDATED, name: 'renewed', sell: year, turns: [[365, of(turns.renew)]] },
  { type: UPDATED, name: 'past due', sell: month, turns: [[30, of(turns.failPayment)]] },
  {
    type: UPDATED,
    name: 'unpaid',
    sell: month,
    turns: [
      [30, of(turns.failPayment)],
      [33, of((world, id) => turns.giveUp(world, id, 'unpaid'))],
    ],
  },
  {
    type: UPDATED,
    name: 'changed',
    sell: month,
    turns: [[3, of((w, id) => turns.changePrice(w, id, 'price_yearly'))]],
  },
  { type: UPDATED, name: 'collection paused', sell: month, turns: [[3, of(turns.pauseCollection)]] },
  { type: 'customer.subscription.paused', sell: subscribe('$svc_monthly', 7), turns: [[7, of(turns.pause)]] },
  {
    type: 'customer.subscription.resumed',
    sell: subscribe('$svc_monthly', 7),
    turns: [
      [7, of(turns.pause)],
      [9, of(turns.resume)],
    ],
  },
  { type: DELETED, sell: month, turns: [[12, of(turns.endNow)]] },
  { type: 'invoice.paid', sell: year },
  { type: 'invoice.paid', name: 'renewal', sell: year, turns: [[365, of(turns.renew)]] },
  {
    type: 'invoice.paid',
    name: 'recovered',
    sell: month,
    turns: [
      [30, of(turns.failPayment)],
      [33, of(turns.settle)],
    ],
  },
  { type: COMPLETED, name: 'subscription', sell: year },
  { type: COMPLETED, name: 'coins', sell: pay('price_coins') },
  { type: COMPLETED, name: 'for nothing', sell: pay('price_lifetime', true) },
  { type: 'payment_intent.succeeded', name: 'coins', sell: pay('price_coins') },
  { type: 'payment_intent.succeeded', name: 'lifetime', sell: pay('price_lifetime') },
  { type: REFUNDED, name: 'a year', sell: year, turns: [[5, refund(null)]] },
  { type: REFUNDED, name: 'part of a year', sell: year, turns: [[5, refund(300)]] },
  { type: REFUNDED, name: 'coins', sell: pay('price_coins'), turns: [[5, refund(null)]] },
  {
    type: 'refund.failed',
    sell: year,
    turns: [
      [5, refund(null)],
      [7, failRefundOf],
    ],
  },
  { type: CLOSED, name: 'lost', sell: year, turns: [[5, dispute('lost')]] },
  {
    type: CLOSED,
    name: 'won on appeal',
    sell: year,
    turns: [
      [5, dispute('lost')],
      [20, dispute('won')],
    ],
  },
  { type: CLOSED, name: 'coins, lost', sell: pay('price_coins'), turns: [[5, dispute('lost')]] },
]

/** The result of a purchase for its owner, as text without ids. */
async function outcome({ device }: Sale) {
  const { purchases: p, observations: o, ledger: l } = s.ctx.tables
  const { id: owner } = await rowOf(s, device)
  const own = (await s.ctx.db.select().from(p)).filter(({ subscriberId }) => subscriberId === owner)
  const kept = await s.ctx.db.select().from(o)
  const entries = (await s.ctx.db.select().from(l)).filter(({ subscriberId }) => subscriberId === owner)
  return {
    purchases: own.map(({ status, effectiveEnd, fold }) => [status, effectiveEnd, fold.storeProductId]),
    observations: own.map(({ id }) => kept.filter(({ purchaseId }) => purchaseId === id).length),
    money: await money(s, owner),
    events: await eventTypes(s, owner),
    balance: entries.map(({ amount, balance }) => [amount, balance]).sort(),
    access: (await s.get('/v1/me/access', device)).body.data.access,
  }
}

const sign = (event: SimulatedEvent): Promise<SignedDelivery> =>
  signEvent(event, { secret: s.secret, now: s.ctx.clock.now() })

let count = 0
async function sellTo(sell: Sell): Promise<Sale> {
  const device = `svc_${++count}`
  await s.get('/v1/me', device)
  return { device, id: await sell(device) }
}

/** The events that the provider emits during the call. */
async function eventsEmittedBy(happen: () => unknown): Promise<SimulatedEvent[]> {
  const before = s.world.events.length
  await happen()
  return s.world.events.slice(before)
}

/** Two customers with the same changes. The events of each customer's last change are not delivered yet. */
async function twins({ sell, turns = [] }: Row): Promise<{ sales: Sale[]; emitted: SimulatedEvent[][] }> {
  const start = s.ctx.clock.now()
  const sales: Sale[] = []
  let emitted = [
    await eventsEmittedBy(async () => sales.push(await sellTo(sell))),
    await eventsEmittedBy(async () => sales.push(await sellTo(sell))),
  ]
  for (const [day, turn] of turns) {
    for (const event of emitted.flat()) expect((await s.deliver(await sign(event))).status).toBe(200)
    s.ctx.clock.set(start + day * DAY)
    emitted = []
    for (const sale of sales) emitted.push(await eventsEmittedBy(() => turn(s.world, sale)))
  }
  return { sales, emitted }
}

const nameOf = ({ status, body }: Answer): string => `${status} ${body.data?.duplicate ?? body.error.code}`

describe('100 at once of an event of the payment provider', () => {
  for (const row of ROWS)
    test(
      row.name === undefined ? row.type : `${row.type}: ${row.name}`,
      async () => {
        const { sales, emitted } = await twins(row)
        const [once, often] = sales
        const [single, many] = emitted.map((events) => events.find(({ type }) => type === row.type))
        if (!once || !often || !single || !many) throw new Error(`no ${row.type} was told twice`)
        const before = await outcome(once)
        expect(nameOf(await s.deliver(await sign(single)))).toBe('200 false')
        const expected = await outcome(once)
        expect(expected).not.toEqual(before)
        const delivery = await sign(many)
        const names = (await Promise.all(Array.from({ length: 100 }, () => s.deliver(delivery)))).map(nameOf)
        expect(names.filter((name) => name === '200 false')).toHaveLength(1)
        expect(names.filter((name) => !ANSWERS.includes(name))).toEqual([])
        expect(await outcome(often)).toEqual(expected)
        expect(nameOf(await s.deliver(delivery))).toBe('200 true')
        expect(await outcome(often)).toEqual(expected)
      },
      PATIENCE_MS,
    )
})

const ANSWERS = ['200 false', '200 true', '409 WEBHOOK_IN_PROGRESS']
