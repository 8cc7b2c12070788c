import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../src/base/lib/clock'
import { canonicalJson } from '../../src/base/lib/hash'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { statusAt } from '../../src/people/purchases/status'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../src/test-store/stores/payment-checkout'
import type { SignedDelivery } from '../../src/test-store/stores/payment-events'
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
import { eventTypes, rowOf } from '../support/facts'
import { type PaymentStage, paymentStage } from '../support/payment'

const DEVICE = 'svc_ada'
/** Each life has its own stages, so the test takes long. */
const PATIENCE_MS = 600_000

/** The objects at the provider after Ada's purchase, by kind. */
interface Bought {
  metadata: Record<string, string>
  subscription: string
}

type Turn = (world: PaymentWorld, bought: Bought) => unknown

const buy: Turn = (world, bought) => {
  bought.subscription = subscribe(world, { priceId: 'price_monthly', metadata: bought.metadata }).id
}
const on =
  (turn: (world: PaymentWorld, id: string) => unknown): Turn =>
  (world, { subscription }) =>
    turn(world, subscription)

const pay: Turn = (world, { metadata }) => {
  const saleMetadata = { ...metadata, svc_price_id: 'price_coins' }
  const common = { customer: null, successUrl: null, cancelUrl: null, trialDays: 0 }
  const order = { mode: 'payment', priceId: 'price_coins', metadata, saleMetadata, ...common } as const
  completeCheckout(world, openCheckout(world, order).id)
}

const newestCharge = (world: PaymentWorld): string => [...world.charges.keys()].at(-1) ?? ''
const newestOf = (objects: ReadonlyMap<string, unknown>): string => [...objects.keys()].at(-1) ?? ''

/** The changes of a life at the provider, ten days apart. */
const LIVES: [name: string, life: Turn[]][] = [
  ['a month, renewed, cancelled and ended', [buy, on(turns.renew), on(turns.cancelAtPeriodEnd), on(turns.endNow)]],
  ['trouble with the payment, and its end', [buy, on(turns.failPayment), on(turns.settle), on(turns.failPayment)]],
  [
    'a month, refunded in part, then whole, and the money came back',
    [
      buy,
      (world) => refundCharge(world, newestCharge(world), 300),
      (world) => refundCharge(world, newestCharge(world)),
      (world) => failRefund(world, newestOf(world.refunds)),
    ],
  ],
  [
    'a dispute, lost and then won',
    [
      buy,
      (world) => openDispute(world, newestCharge(world)),
      (world) => closeDispute(world, newestOf(world.disputes), 'lost'),
      (world) => closeDispute(world, newestOf(world.disputes), 'won'),
    ],
  ],
  [
    'another product now, and the first charge refunded',
    [
      buy,
      on((world, id) => turns.changePrice(world, id, 'price_yearly')),
      on((world, id) => {
        const [first = ''] = [...world.invoices.values()]
          .filter(({ parent }) => parent?.subscription_details?.subscription === id)
          .map((invoice) => invoice.id)
        return refundCharge(world, chargeOfInvoice(world, first))
      }),
    ],
  ],
  ['coins, refunded', [pay, (world) => refundCharge(world, chargeOfIntent(world, newestOf(world.intents)))]],
]

// A report is dated by its fetch, and late delivery is a later fetch. The time at which auto-renew went off is that of the
// first fetch that showed it.
const DATED_BY_FETCH = ['cancelledAt', 'storeEventAt', 'recheckAt', 'since']
const OWN = [...DATED_BY_FETCH, 'id', 'projectId', 'subscriberId', 'purchaseId', 'createdAt', 'updatedAt', 'cause']
const bare = (row: object): string =>
  canonicalJson(JSON.parse(JSON.stringify(row, (name, value) => (OWN.includes(name) ? undefined : value))))

/** The test provider also counts requests in its ids, so they are replaced by numbers in their order. */
function renumbered(text: string): string {
  const ids = [...new Set(text.match(/(?<=_sim)\d+/g))].sort()
  return text.replace(/(?<=_sim)\d+/g, (id) => String(ids.indexOf(id)).padStart(3, '0'))
}

/** What the device has at the end of its life, as text without ids. */
async function outcome(s: PaymentStage): Promise<string> {
  const { purchases, transactions, storeEvents } = s.ctx.tables
  await sweepPurchases(s.ctx)
  const { id, toldAccess } = await rowOf(s, DEVICE)
  await eventTypes(s, id)
  const held = (await s.ctx.db.select().from(purchases)).map(({ fold, ...row }) =>
    bare({ ...row, fold: statusAt(fold, s.ctx.clock.now()) }),
  )
  const lines = (await s.ctx.db.select().from(transactions)).map(bare).sort()
  const inbox = (await s.ctx.db.select().from(storeEvents)).map(({ type, status }) => `${type} ${status}`).sort()
  const { body } = await s.get('/v1/me/access', DEVICE)
  const balances = (await s.get('/v1/virtual-currencies/me', DEVICE)).body.data
  const access = body.data.access
  return renumbered(canonicalJson({ held, lines, inbox, toldAccess, access, balances }))
}

type Deliver = (s: PaymentStage, deliveries: SignedDelivery[]) => Promise<unknown>

const inTurn: Deliver = async (s, deliveries) => {
  for (const delivery of deliveries) expect((await s.deliver(delivery)).status).toBe(200)
}

/** Runs a life on its own stage. The events are delivered after each change, or all after the last one. */
async function live(life: readonly Turn[], isLate: boolean, deliver: Deliver): Promise<string> {
  const s = await paymentStage()
  try {
    const { id } = (await s.get('/v1/me', DEVICE)).body.data.subscriber
    const bought: Bought = { metadata: { svc_subscriber_id: id }, subscription: '' }
    for (const turn of life) {
      turn(s.world, bought)
      if (!isLate) await deliver(s, await s.deliveries())
      s.ctx.clock.advance(10 * DAY)
    }
    await deliver(s, await s.deliveries())
    return await outcome(s)
  } finally {
    await s.close()
  }
}

describe('a life comes to the same, told', () => {
  for (const [name, life] of LIVES)
    test(
      name,
      async () => {
        const expected = await live(life, false, inTurn)
        const twice: Deliver = (s, all) => inTurn(s, [...all, ...all])
        const backwards: Deliver = (s, all) => inTurn(s, all.toReversed())
        const together: Deliver = (s, all) => Promise.all(all.map((delivery) => s.deliver(delivery)))
        const shuffled: Deliver = (s, all) => {
          const [order = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { numRuns: 1, seed: 7 })
          return inTurn(s, order)
        }
        expect(await live(life, true, inTurn)).toBe(expected)
        expect(await live(life, false, twice)).toBe(expected)
        expect(await live(life, true, backwards)).toBe(expected)
        expect(await live(life, true, shuffled)).toBe(expected)
        expect(await live(life, true, together)).toBe(expected)
      },
      PATIENCE_MS,
    )
})
