import { describe, expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { givesAccess } from '../../core/purchase/status'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import { subscribe } from '../../test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../test-store/stores/payment-checkout'
import {
  chargeOfIntent,
  chargeOfInvoice,
  closeDispute,
  failRefund,
  openDispute,
  refundCharge,
} from '../../test-store/stores/payment-returns'
import { renew } from '../../test-store/stores/payment-turns'
import type { Marker, Observation } from '../observation'
import { disputeMarkers, refundMarkers } from './returns'
import type { Charge, Refund } from './shapes'
import { MONTH_END, START, TestStore } from './world.fixtures'

const day = (count: number): number => START + count * DAY

/** A paid monthly subscription of 9.99, and its charge. */
async function sold() {
  const store = new TestStore()
  const { id, latest_invoice } = subscribe(store.world, { priceId: 'price_monthly' })
  await store.tell()
  store.days(3)
  return {
    store,
    id,
    invoiceId: String(latest_invoice),
    chargeId: chargeOfInvoice(store.world, String(latest_invoice)),
  }
}

function stateOf(told: readonly Observation[], at: number) {
  const fold = foldObservations(told, 'SUBSCRIPTION')
  if (!fold) throw new Error('Nothing was bought')
  const { status } = statusAt(fold, at)
  return [status, givesAccess(status)]
}

const linesOf = (told: readonly Observation[]) =>
  transactionLines(told, 'SUBSCRIPTION').map(({ kind, price }): [string, number | null] => [
    kind,
    price?.amountMicros ?? null,
  ])

const sum = (told: readonly Observation[]): number =>
  linesOf(told).reduce((total, [, amountMicros]) => total + (amountMicros ?? 0), 0)

describe('refunds', () => {
  test('a full one ends the access and gives one negative line', async () => {
    const { store, chargeId } = await sold()
    refundCharge(store.world, chargeId)
    const told = await store.tell()
    expect(stateOf(told, day(4))).toEqual(['REFUNDED', false])
    expect(linesOf(told)).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
  })

  test('partial refund treated as full', async () => {
    const { store, chargeId } = await sold()
    refundCharge(store.world, chargeId, 300)
    const told = await store.tell()
    expect(stateOf(told, day(4))).toEqual(['ACTIVE', true])
    expect(linesOf(told)).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -3_000_000],
    ])
  })

  test('all but one cent is still a part', async () => {
    const { store, chargeId } = await sold()
    refundCharge(store.world, chargeId, 998)
    expect(stateOf(await store.tell(), day(4))).toEqual(['ACTIVE', true])
  })

  test('parts that come to all end the access, and the money adds up', async () => {
    const { store, chargeId } = await sold()
    for (const amount of [300, 300, 399]) {
      store.days(1)
      refundCharge(store.world, chargeId, amount)
      await store.tell()
    }
    expect(stateOf(store.told, day(7))).toEqual(['REFUNDED', false])
    expect(linesOf(store.told).slice(1)).toEqual([
      ['REFUND', -3_000_000],
      ['REFUND', -3_000_000],
      ['REFUND', -3_990_000],
    ])
  })

  test('so do parts of one second, of which only the last event arrives', async () => {
    const { store, chargeId } = await sold()
    for (const amount of [300, 300, 399]) refundCharge(store.world, chargeId, amount)
    await store.tell(store.takeEvents().slice(-1))
    expect(stateOf(store.told, day(7))).toEqual(['REFUNDED', false])
    expect(linesOf(store.told).map(([, amountMicros]) => amountMicros)).toEqual([
      9_990_000, -3_000_000, -3_000_000, -3_990_000,
    ])
  })

  test('of parts that came to all, one that fails gives the access back, told in time or late', async () => {
    const inTime = await sold()
    const late = await sold()
    for (const { store, chargeId } of [inTime, late]) {
      const [part] = [300, 699].map((amount) => {
        store.days(1)
        return refundCharge(store.world, chargeId, amount)
      })
      if (store === inTime.store) expect(stateOf(await store.tell(), day(6))).toEqual(['REFUNDED', false])
      store.days(1)
      failRefund(store.world, part?.id ?? '')
      expect(stateOf(await store.tell(), day(7))).toEqual(['ACTIVE', true])
      expect(sum(store.told)).toBe(3_000_000)
    }
  })

  test('parts told late, all at once, are the same as told in time', async () => {
    const inTime = await sold()
    const late = await sold()
    for (const amount of [300, 699]) {
      refundCharge(inTime.store.world, inTime.chargeId, amount)
      await inTime.store.tell()
      refundCharge(late.store.world, late.chargeId, amount)
    }
    await late.store.tell()
    expect(markersOf(late.store.told)).toEqual(markersOf(inTime.store.told))
  })

  test('refund and revoke counted twice', async () => {
    const { store, chargeId, invoiceId } = await sold()
    refundCharge(store.world, chargeId)
    const told = [...(await store.tell()), revocation(invoiceId)]
    expect(sum(told)).toBe(0)
    expect(linesOf(told)).toHaveLength(2)
    await store.tell([...store.world.events, ...store.world.events])
    expect(sum(store.told)).toBe(0)
  })

  const revocation = (transactionId: string): Marker => ({
    kind: 'REVOCATION',
    id: 'revoked',
    eventAt: day(4),
    transactionId,
    amount: null,
  })

  const markersOf = (told: readonly Observation[]) =>
    told.filter(({ kind }) => kind !== 'REPORT').sort((a, b) => (a.id < b.id ? -1 : 1))

  test('of an earlier period leaves the running one', async () => {
    const { store, id, chargeId } = await sold()
    store.clock.goTo(MONTH_END)
    renew(store.world, id)
    store.days(2)
    refundCharge(store.world, chargeId)
    const told = await store.tell()
    expect(stateOf(told, MONTH_END + 3 * DAY)).toEqual(['ACTIVE', true])
    expect(sum(told)).toBe(9_990_000)
  })

  test('is not lost when it is told before the sale', async () => {
    const { store, chargeId } = await sold()
    refundCharge(store.world, chargeId)
    store.told.length = 0
    await store.tell(store.takeEvents())
    expect(stateOf(store.told, day(4))).toEqual(['REFUNDED', false])
    expect(sum(store.told)).toBe(0)
  })

  test('that failed is taken back', async () => {
    const { store, chargeId } = await sold()
    const refund = refundCharge(store.world, chargeId, 300)
    await store.tell()
    store.days(2)
    failRefund(store.world, refund.id)
    expect(sum(await store.tell())).toBe(9_990_000)
    expect(linesOf(store.told)).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -3_000_000],
      ['REFUND_REVERSAL', 3_000_000],
    ])
  })

  test('a full one that failed gives the access back', async () => {
    const { store, chargeId } = await sold()
    const refund = refundCharge(store.world, chargeId)
    expect(stateOf(await store.tell(), day(4))).toEqual(['REFUNDED', false])
    store.days(2)
    failRefund(store.world, refund.id)
    expect(stateOf(await store.tell(), day(6))).toEqual(['ACTIVE', true])
    expect(sum(store.told)).toBe(9_990_000)
  })

  test('the last of several that failed gives the access back, and its own money', async () => {
    const { store, chargeId } = await sold()
    refundCharge(store.world, chargeId, 300)
    store.days(1)
    const last = refundCharge(store.world, chargeId)
    expect(stateOf(await store.tell(), day(5))).toEqual(['REFUNDED', false])
    store.days(2)
    failRefund(store.world, last.id)
    expect(stateOf(await store.tell(), day(7))).toEqual(['ACTIVE', true])
    expect(sum(store.told)).toBe(6_990_000)
    refundCharge(store.world, chargeId)
    expect(stateOf(await store.tell(), day(8))).toEqual(['REFUNDED', false])
    expect(sum(store.told)).toBe(0)
  })

  const unmoved: [name: string, status: string][] = [
    ['one that waits for the customer', 'requires_action'],
    ['one that was called off', 'canceled'],
    ['one of a later state', 'evaporated'],
  ]
  for (const [name, status] of unmoved)
    test(`${name} moves nothing`, () => {
      expect(refundMarkers(paid({}), [refund({ status })])).toEqual([])
    })

  test('one that is pending, or of no state, counts', () => {
    for (const status of ['pending', null]) expect(refundMarkers(paid({}), [refund({ status })])).toHaveLength(1)
  })

  test('of a charge that paid a part of the invoice only takes its part', async () => {
    const { store, invoiceId, chargeId } = await sold()
    Object.assign(store.world.invoices.get(invoiceId) ?? {}, { amount_paid: 1998 })
    store.told.length = 0
    await store.tell(store.world.events)
    refundCharge(store.world, chargeId)
    expect(stateOf(await store.tell(), day(4))).toEqual(['ACTIVE', true])
    expect(sum(store.told)).toBe(9_990_000)
  })

  test('a charge that is refunded without refunds to show is refunded all the same', () => {
    const [marker] = refundMarkers(paid({ refunded: true }), [])
    expect(marker).toMatchObject({ kind: 'REFUND', id: 'refund:whole:ch_1', amount: null, eventAt: day(9) })
  })

  test('an amount that cannot be told exactly is not taken for all', () => {
    expect(refundMarkers(paid({}), [refund({ amount: Number.MAX_SAFE_INTEGER })])).toEqual([])
  })
})

describe('disputes', () => {
  test('a lost one is a CHARGEBACK and ends the access', async () => {
    const { store, chargeId } = await sold()
    const { id } = openDispute(store.world, chargeId)
    expect(stateOf(await store.tell(), day(4))).toEqual(['ACTIVE', true])
    store.days(9)
    closeDispute(store.world, id, 'lost')
    expect(stateOf(await store.tell(), day(13))).toEqual(['REFUNDED', false])
    expect(linesOf(store.told)).toEqual([
      ['INITIAL', 9_990_000],
      ['CHARGEBACK', -9_990_000],
    ])
  })

  test('one that is won after all gives money and access back', async () => {
    const { store, chargeId } = await sold()
    const { id } = openDispute(store.world, chargeId)
    closeDispute(store.world, id, 'lost')
    await store.tell()
    store.days(5)
    closeDispute(store.world, id, 'won')
    expect(stateOf(await store.tell(), day(9))).toEqual(['ACTIVE', true])
    expect(linesOf(store.told)).toEqual([
      ['INITIAL', 9_990_000],
      ['CHARGEBACK', -9_990_000],
      ['REFUND_REVERSAL', 9_990_000],
    ])
  })

  test('one that is won at once changes nothing', async () => {
    const { store, chargeId } = await sold()
    closeDispute(store.world, openDispute(store.world, chargeId).id, 'won')
    expect(linesOf(await store.tell())).toEqual([['INITIAL', 9_990_000]])
    expect(stateOf(store.told, day(4))).toEqual(['ACTIVE', true])
  })

  test('won over a refund leaves the refund', async () => {
    for (const amount of [300, null]) {
      const { store, chargeId } = await sold()
      refundCharge(store.world, chargeId, amount)
      await store.tell()
      const before = [stateOf(store.told, day(9)), sum(store.told)]
      store.days(1)
      closeDispute(store.world, openDispute(store.world, chargeId).id, 'won')
      await store.tell()
      expect([stateOf(store.told, day(9)), sum(store.told)]).toEqual(before)
    }
  })

  test('won in the second of a refund does not undo it', () => {
    const dispute = { id: 'dp_1', amount: 999, currency: 'usd', status: 'won', charge: 'ch_1' }
    const at = (eventAt: number) =>
      disputeMarkers({ ...paid({}), eventAt }, dispute, [refund({})]).map(({ kind }) => kind)
    // A reversal sorts before a refund of the same instant: it can only undo earlier refunds.
    expect([at(START), at(START + 1000)]).toEqual([['REVERSAL'], []])
  })

  test('lost over a full refund takes no more', async () => {
    const { store, chargeId } = await sold()
    refundCharge(store.world, chargeId)
    store.days(1)
    closeDispute(store.world, openDispute(store.world, chargeId).id, 'lost')
    expect(sum(await store.tell())).toBe(0)
    expect(linesOf(store.told)).toHaveLength(2)
  })

  test('lost over a partial refund takes the rest', async () => {
    const { store, chargeId } = await sold()
    refundCharge(store.world, chargeId, 300)
    store.days(1)
    closeDispute(store.world, openDispute(store.world, chargeId).id, 'lost')
    expect(linesOf(await store.tell()).slice(1)).toEqual([
      ['REFUND', -3_000_000],
      ['CHARGEBACK', -6_990_000],
    ])
    expect(stateOf(store.told, day(9))).toEqual(['REFUNDED', false])
  })

  test('about a part of the charge takes that part, and the access stays', async () => {
    const { store, chargeId } = await sold()
    closeDispute(store.world, openDispute(store.world, chargeId, 400).id, 'lost')
    expect(linesOf(await store.tell()).slice(1)).toEqual([['CHARGEBACK', -4_000_000]])
    expect(stateOf(store.told, day(4))).toEqual(['ACTIVE', true])
  })

  const silent = ['warning_closed', 'prevented', 'needs_response', 'appeal_under_review', 'settled_in_2030']
  for (const status of silent)
    test(`${status} moves nothing`, async () => {
      const { store, chargeId } = await sold()
      closeDispute(store.world, openDispute(store.world, chargeId).id, status)
      expect(linesOf(await store.tell())).toHaveLength(1)
    })

  test('in another currency is about all of the charge', () => {
    const dispute = { id: 'dp_1', amount: 12, currency: 'jpy', status: 'lost', charge: 'ch_1' }
    expect(disputeMarkers(paid({}), dispute, [])).toMatchObject([{ amount: null, isChargeback: true }])
  })

  test('of a charge that paid a part takes that part', () => {
    const dispute = { id: 'dp_1', amount: 999, currency: 'usd', status: 'lost', charge: 'ch_1' }
    const [marker] = disputeMarkers({ ...paid({}), isWhole: false }, dispute, [])
    expect(marker?.amount).toEqual({ amountMicros: 9_990_000, currency: 'USD' })
  })
})

describe('one-time payments', () => {
  function bought() {
    const store = new TestStore()
    const session = openCheckout(store.world, {
      mode: 'payment',
      priceId: 'price_coins',
      customer: null,
      successUrl: null,
      cancelUrl: null,
      metadata: {},
      saleMetadata: {},
      trialDays: 0,
    })
    completeCheckout(store.world, session.id)
    return { store, chargeId: chargeOfIntent(store.world, String(session.payment_intent)) }
  }
  const coinLines = (told: readonly Observation[]) =>
    transactionLines(told, 'CONSUMABLE').map(({ kind, price }): [string, number | undefined] => [
      kind,
      price?.amountMicros,
    ])

  test('are refunded by their payment intent', async () => {
    const { store, chargeId } = bought()
    refundCharge(store.world, chargeId)
    expect(coinLines(await store.tell())).toEqual([
      ['CREDIT_PURCHASE', 4_990_000],
      ['REFUND', -4_990_000],
    ])
  })

  test('are charged back by it', async () => {
    const { store, chargeId } = bought()
    closeDispute(store.world, openDispute(store.world, chargeId).id, 'lost')
    expect(coinLines(await store.tell())).toEqual([
      ['CREDIT_PURCHASE', 4_990_000],
      ['CHARGEBACK', -4_990_000],
    ])
  })
})

const charge = { id: 'ch_1', amount: 999, amount_refunded: 0, currency: 'usd', refunded: false, payment_intent: 'pi_1' }

const paid = (members: Partial<Charge>) => ({
  charge: { ...charge, ...members },
  transactionId: 'in_1',
  isWhole: true,
  eventAt: day(9),
})

const refund = (members: Partial<Refund>): Refund => ({
  id: 're_1',
  amount: 300,
  currency: 'usd',
  created: START / 1000,
  status: 'succeeded',
  ...members,
})
