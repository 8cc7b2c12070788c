import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { addPrice, subscribe } from '../../src/test-store/stores/payment-billing'
import { closeDispute, failRefund, openDispute, refundCharge } from '../../src/test-store/stores/payment-returns'
import { type PaymentStage, paymentStage } from '../support/payment'
import { loadCsv, runJobs } from '../support/rates'
import { changeAndDeliver, chargeOf } from '../support/web'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage() // It is 2026-11-20.
  await loadCsv(s.ctx, '2026-11-19,JPY,0.0066973')
})
afterEach(() => s.close())

const rows = () => s.ctx.db.select().from(s.ctx.tables.transactions)
const kinds = async () => (await rows()).map(({ kind }) => kind).sort()
const sumOf = async () => (await rows()).reduce((sum, { usdMicros }) => sum + (usdMicros ?? Number.NaN), 0)

/** Somebody buys for 1,000 yen on the web; gives the charge. */
async function buy(): Promise<string> {
  addPrice(s.world, { id: 'price_yen', amount: 1000, currency: 'jpy', interval: 'month' })
  const { body } = await s.get('/v1/me', 'svc_ada')
  const sale = subscribe(s.world, { priceId: 'price_yen', metadata: { svc_subscriber_id: body.data.subscriber.id } })
  for (const answer of await s.deliverAll()) expect(answer.status).toBe(200)
  return chargeOf(s, sale.id)
}

async function giveBack(charge: string, yen: number): Promise<void> {
  await changeAndDeliver(s, () => refundCharge(s.world, charge, yen))
  s.ctx.clock.advance(MINUTE)
}

test('given back in parts, while the rate of the charge changes: the sum is what is kept, and zero in the end', async () => {
  const charge = await buy()
  expect(await sumOf()).toBe(6_697_300)
  await giveBack(charge, 333)
  expect(await sumOf()).toBe(4_467_099) // 667 yen.
  await loadCsv(s.ctx, '2026-11-20,JPY,0.0071235')
  await giveBack(charge, 333)
  expect(await sumOf()).toBe(334 * 7123.5) // What changes takes the new rate at once, with all lines of its charge.
  s.ctx.clock.advance(MINUTE)
  await runJobs(s.ctx)
  expect(await sumOf()).toBe(2_379_249)
  await giveBack(charge, 334)
  expect([await sumOf(), await kinds()]).toEqual([0, ['INITIAL', 'REFUND', 'REFUND', 'REFUND']])
})

test('a refund that fails takes back exactly what it gave', async () => {
  const charge = await buy()
  const refund = refundCharge(s.world, charge, 333)
  await s.deliverAll()
  await changeAndDeliver(s, () => failRefund(s.world, refund.id))
  expect([await sumOf(), await kinds()]).toEqual([6_697_300, ['INITIAL', 'REFUND', 'REFUND_REVERSAL']])
})

test('a dispute that is lost makes the sum zero', async () => {
  const charge = await buy()
  await changeAndDeliver(s, () => closeDispute(s.world, openDispute(s.world, charge).id, 'lost'))
  expect([await sumOf(), await kinds()]).toEqual([0, ['CHARGEBACK', 'INITIAL']])
})
