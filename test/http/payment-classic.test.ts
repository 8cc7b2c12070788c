import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import type { SignedDelivery } from '../../src/test-store/stores/payment-events'
import * as items from '../../src/test-store/stores/payment-items'
import * as turns from '../../src/test-store/stores/payment-turns'
import { getFrom } from '../../src/test-store/stores/payment-world'
import { access } from '../support/facts'
import { type PaymentStage, paymentStage } from '../support/payment'

// In the classic billing mode a proration does not name its item, and the items that are left do not tell it either.

let s: PaymentStage
let metadata: Record<string, string>
beforeEach(async () => {
  s = await paymentStage()
  metadata = { svc_subscriber_id: (await s.get('/v1/me', 'svc_ada')).body.data.subscriber.id }
})
afterEach(() => s.close())

/** What each item was charged, in cents: the kinds and amounts of its money lines. */
async function charged(): Promise<Record<string, string[]>> {
  const { purchases, transactions } = s.ctx.tables
  const held = await s.ctx.db.select().from(purchases)
  const money = await s.ctx.db.select().from(transactions)
  const own = (id: string) =>
    money
      .filter(({ purchaseId }) => purchaseId === id)
      .map(({ kind, amountMicros }) => `${kind} ${(amountMicros ?? 0) / 10_000}`)
  return Object.fromEntries(held.map(({ id, lineKey }) => [lineKey, own(id).sort()]))
}

const sum = (lines: Record<string, string[]>): number =>
  Object.values(lines)
    .flat()
    .reduce((total, line) => total + Number(line.split(' ')[1]), 0)

const taken = (): number => [...s.world.charges.values()].reduce((total, { amount }) => total + amount, 0)

type Order = (deliveries: readonly SignedDelivery[]) => readonly SignedDelivery[]
const ORDERS: [name: string, order: Order, isLate: boolean][] = [
  ['in order', (all) => all, false],
  ['out of order', (all) => all.toReversed(), false],
  ['twice', (all) => [...all, ...all], false],
  ['at the end, out of order and twice', (all) => [...all.toReversed(), ...all], true],
]

for (const [name, order, isLate] of ORDERS)
  test(`seats of an item that is removed later are charged once, told ${name}`, async () => {
    const tell = async (isEnd = false) => {
      if (isLate && !isEnd) return
      for (const one of order(await s.deliveries())) expect((await s.deliver(one)).status).toBe(200)
    }
    const { id: sale, items: sold } = subscribe(s.world, {
      priceId: 'price_monthly',
      others: ['price_nobody'],
      metadata,
    })
    const [pro = '', other = ''] = sold.data.map(({ id }) => id)
    await tell()
    s.ctx.clock.advance(15 * DAY)
    const { amount_paid: seats } = items.setQuantity(s.world, sale, other, 3)
    await tell()
    s.ctx.clock.advance(DAY)
    items.removeItem(s.world, sale, other)
    await tell()
    s.ctx.clock.advance(14 * DAY)
    turns.renew(s.world, sale)
    for (const invoice of s.world.invoices.values()) s.world.emit('invoice.paid', invoice)
    await tell(true)
    expect(await charged()).toEqual({
      [pro]: ['INITIAL 999', 'RENEWAL 999'],
      [other]: [`ADJUSTMENT ${seats}`, 'INITIAL 500'],
    })
    expect(sum(await charged())).toBe(taken())
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    expect(getFrom(s.world.subscriptions, sale).billing_mode.type).toBe('classic')
  })
