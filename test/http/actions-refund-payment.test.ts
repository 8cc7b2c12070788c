import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../src/test-store/stores/payment-checkout'
import { chargeOfInvoice, refundCharge } from '../../src/test-store/stores/payment-returns'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { renew } from '../../src/test-store/stores/payment-turns'
import {
  disconnect,
  lineOf,
  onlyPurchase,
  type Refusal,
  refundAt,
  refusalOf,
  refusedUnchanged,
} from '../support/actions'
import { access, lastEvent, listenTo, money, rowOf } from '../support/facts'
import { type PaymentStage, paymentStage, WEB_COURSE, WEB_MONTHLY } from '../support/payment-sale'

let s: PaymentStage
let subscription: string
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await paymentStage()
  subscription = subscribe(s.world, { priceId: WEB_MONTHLY }).id
  await s.deliverAll()
  newEvents = listenTo(s, 'svc_ada')
  expect(await newEvents()).toEqual(['purchase.initial', 'entitlement.granted'])
})
afterEach(() => s.close())

const moneyOfAda = async () => money(s, (await rowOf(s, 'svc_ada')).id)
const WHOLE: [string, number][] = [
  ['INITIAL', 9_990_000],
  ['REFUND', -9_990_000],
]
const alreadyRefunded: Refusal = [409, 'REFUND_NOT_POSSIBLE', { reason: 'already_refunded' }]
const noStoreRef: Refusal = [422, 'REFUND_NOT_POSSIBLE', { reason: 'missing_store_ref' }]

describe('a refund', () => {
  test('is made with the ids as its key, recorded at once, and a duplicate when the provider tells it', async () => {
    const { id } = await onlyPurchase(s)
    const charge = await lineOf(s, 'INITIAL')
    s.ctx.clock.advance(DAY)
    const { purchase, transaction } = await refundAt(s, { purchaseId: id })
    expect([purchase.status, transaction.kind, transaction.amountMicros]).toEqual(['REFUNDED', 'REFUND', -9_990_000])
    expect(s.server.requests.at(-1)).toMatchObject({ path: '/v1/refunds', idempotencyKey: `refund_${id}_${charge.id}` })
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
    const lines = await moneyOfAda()
    expect(lines).toEqual(WHOLE)
    s.ctx.clock.advance(60_000)
    await s.deliverAll()
    expect(await newEvents()).toEqual([])
    expect(await moneyOfAda()).toEqual(lines)
    // The event contains the subscription as it is now, and adds no marker.
    const kept = await s.ctx.db.select().from(s.ctx.tables.observations)
    expect(kept.filter(({ kind }) => kind !== 'REPORT')).toHaveLength(1)
    expect(await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))).toEqual(alreadyRefunded)
  })

  test('of an earlier period keeps the access', async () => {
    const first = await lineOf(s, 'INITIAL')
    s.ctx.clock.set((await onlyPurchase(s)).effectiveEnd ?? 0)
    renew(s.world, subscription)
    await s.deliverAll()
    await newEvents()
    const held = await access(s, 'svc_ada')
    expect(Object.keys(held)).toEqual(['pro'])
    const { purchase, transaction } = await refundAt(s, { transactionId: first.id })
    expect([purchase.status, transaction.storeTransactionId]).toEqual(['ACTIVE', first.storeTransactionId])
    expect(await access(s, 'svc_ada')).toEqual(held)
    expect(await newEvents()).toEqual(['purchase.refunded'])
    await s.deliverAll()
    expect(await newEvents()).toEqual([])
    expect(await access(s, 'svc_ada')).toEqual(held)
  })

  test('gives back the rest of what was given back in part', async () => {
    const invoice = (await lineOf(s, 'INITIAL')).storeTransactionId
    refundCharge(s.world, chargeOfInvoice(s.world, invoice), 300)
    await s.deliverAll()
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    await newEvents()
    s.ctx.clock.advance(DAY)
    const { transaction } = await refundAt(s, { purchaseId: (await onlyPurchase(s)).id })
    expect(transaction).toMatchObject({ kind: 'REFUND', amountMicros: -6_990_000 })
    expect(await access(s, 'svc_ada')).toEqual({})
    await s.deliverAll()
    expect((await moneyOfAda()).reduce((sum, [, micros]) => sum + (micros ?? 0), 0)).toBe(0)
  })

  test('of a one-time purchase', async () => {
    const session = { customer: null, successUrl: null, cancelUrl: null, metadata: {}, saleMetadata: {}, trialDays: 0 }
    completeCheckout(s.world, openCheckout(s.world, { ...session, mode: 'payment', priceId: WEB_COURSE }).id)
    await s.deliverAll('svc_bo')
    expect(await access(s, 'svc_bo')).toEqual({ pro: null })
    await refundAt(s, { transactionId: (await lineOf(s, 'NON_RENEWING_PURCHASE')).id })
    expect(await access(s, 'svc_bo')).toEqual({})
    expect(await lastEvent(s, 'svc_bo', 'purchase.refunded')).toMatchObject({
      data: { refund: { amountMicros: 49_000_000, currency: 'USD' } },
    })
  })

  test('by two at once is one refund', async () => {
    const { id } = await onlyPurchase(s)
    const both = await Promise.all([refundAt(s, { purchaseId: id }), refundAt(s, { purchaseId: id })])
    expect(both.map(({ transaction }) => transaction.kind)).toEqual(['REFUND', 'REFUND'])
    expect(s.world.refunds.size).toBe(1)
    expect(await moneyOfAda()).toEqual(WHOLE)
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
  })

  test('that died between the provider and the record is made good by repeating it', async () => {
    const { id } = await onlyPurchase(s)
    const { write } = s.ctx
    const died = new Error('killed')
    Object.assign(s.ctx, { write: () => Promise.reject(died) })
    expect(await refundAt(s, { purchaseId: id }).catch((error) => error)).toBe(died)
    Object.assign(s.ctx, { write })
    s.ctx.clock.advance(DAY)
    expect((await refundAt(s, { purchaseId: id })).purchase.status).toBe('REFUNDED')
    await s.deliverAll()
    expect([s.world.refunds.size, await moneyOfAda()]).toEqual([1, WHOLE])
  })
})

describe('no refund', () => {
  for (const status of [400, 401, 404, 409, 429, 500])
    test(`when the provider answers ${status}; afterwards it goes through`, async () => {
      const { id } = await onlyPurchase(s)
      s.server.faults = { ...NO_FAULTS, status }
      const refusal = await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))
      expect(refusal).toEqual([502, 'STORE_API_ERROR', undefined])
      s.server.faults = NO_FAULTS
      expect((await refundAt(s, { purchaseId: id })).purchase.status).toBe('REFUNDED')
    })

  test('while the provider answers with something that is no answer', async () => {
    s.server.faults = { ...NO_FAULTS, isMalformed: true }
    const { id } = await onlyPurchase(s)
    expect(await refusalOf(() => refundAt(s, { purchaseId: id }))).toEqual([502, 'STORE_API_ERROR', undefined])
  })

  test('of what was refunded at the provider and is not told yet', async () => {
    refundCharge(s.world, chargeOfInvoice(s.world, (await lineOf(s, 'INITIAL')).storeTransactionId))
    const { id } = await onlyPurchase(s)
    expect(await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))).toEqual(alreadyRefunded)
    await s.deliverAll()
    expect(await moneyOfAda()).toEqual(WHOLE)
  })

  test('of a trial: nothing was charged', async () => {
    subscribe(s.world, { priceId: WEB_MONTHLY, trialDays: 7 })
    await s.deliverAll('svc_bo')
    const requests = s.server.requests.length
    const trial = await lineOf(s, 'TRIAL')
    expect(await refusedUnchanged(s, () => refundAt(s, { transactionId: trial.id }))).toEqual(noStoreRef)
    expect(s.server.requests.length).toBe(requests)
  })

  test('of an invoice that was settled without a payment', async () => {
    s.world.invoicePayments.clear()
    const { id } = await onlyPurchase(s)
    expect(await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))).toEqual(noStoreRef)
  })

  test('when the provider fails, of what it told as refunded meanwhile', async () => {
    const { id } = await onlyPurchase(s)
    s.server.faults = { ...NO_FAULTS, status: 500 }
    const { asked, release } = s.hold()
    const refused = refusalOf(() => refundAt(s, { purchaseId: id }))
    await asked
    refundCharge(s.world, chargeOfInvoice(s.world, (await lineOf(s, 'INITIAL')).storeTransactionId))
    await s.deliverAll()
    release()
    expect(await refused).toEqual(alreadyRefunded)
    expect(await moneyOfAda()).toEqual(WHOLE)
  })

  test('that the provider only notes down', async () => {
    const { id } = await onlyPurchase(s)
    // At first the customer must say where the money goes; until then the charge does not change.
    s.world.emit = (_type, charge) => {
      for (const refund of s.world.refunds.values()) refund.status = 'requires_action'
      Object.assign(charge, { refunded: false, amount_refunded: 0 })
    }
    const refusal = await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))
    expect(refusal).toEqual([502, 'STORE_API_ERROR', undefined])
  })

  test('without an account', async () => {
    await disconnect(s, 'payment')
    const { id } = await onlyPurchase(s)
    const refusal = await refusedUnchanged(s, () => refundAt(s, { purchaseId: id }))
    expect(refusal).toEqual([409, 'PAYMENT_NOT_CONNECTED', undefined])
  })
})
