import { describe, expect, test } from 'bun:test'
import { givesAccess, type PurchaseStatus } from '../../core/purchase/status'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import type { Observation, TransactionPart } from '../observation'
import type { OfferPhase } from './decode'
import { reportReplaced, reportSubscription, saysNothingNew } from './observe'
import type { FetchContext } from './order'
import { day, decoded, fetched, isoDay, item, ORDER, observed, PRICE, subscription, TOKEN, usd } from './play.fixtures'
import { refundMarker } from './voided'

function stateOf(observations: readonly Observation[], at: number) {
  const fold = foldObservations(observations, 'SUBSCRIPTION')
  if (!fold) throw new Error('nothing was bought')
  return statusAt(fold, day(at))
}

const kindsOf = (observations: readonly Observation[]) =>
  transactionLines(observations, 'SUBSCRIPTION').map(({ key, kind, price }) => [
    key.replace(ORDER, 'O'),
    String(kind),
    price?.amountMicros ?? null,
  ])

const partOf = (observations: readonly Observation[]): TransactionPart => {
  const [report] = observations
  if (report?.kind !== 'REPORT' || !report.transaction) throw new Error('no report')
  return report.transaction
}

/** The monthly item of renewal `number`, which ends on day `end`. */
const renewal = (number: number, end: number, members: Parameters<typeof item>[0] = {}) =>
  item({ latestSuccessfulOrderId: `${ORDER}..${number}`, expiryTime: isoDay(end), ...members })

const active = subscription('ACTIVE')
const renewed = subscription('ACTIVE', { lineItems: [renewal(0, 60)] })
const trial = subscription('ACTIVE', {
  lineItems: [
    item({
      expiryTime: isoDay(7),
      offerPhase: { freeTrial: {} },
      offerDetails: { basePlanId: 'monthly', offerId: 'week' },
    }),
  ],
})
const off = { recurringPrice: { currencyCode: 'USD', units: '9', nanos: 990_000_000 } }
const canceled = subscription('CANCELED', {
  lineItems: [item({ autoRenewingPlan: off })],
  canceledStateContext: { userInitiatedCancellation: { cancelTime: isoDay(10) } },
})
const grace = subscription('IN_GRACE_PERIOD', { lineItems: [item({ expiryTime: isoDay(37) })] })
const hold = subscription('ON_HOLD', { lineItems: [item({ expiryTime: isoDay(37) })] })
const paused = subscription('PAUSED', { pausedStateContext: { autoResumeTime: isoDay(60) } })
const ended = (context: object, end = 30) =>
  subscription('EXPIRED', {
    lineItems: [item({ expiryTime: isoDay(end), autoRenewingPlan: off })],
    canceledStateContext: context,
  })

describe('each state, as first seen and as seen after the purchase', () => {
  const cases: [name: string, resource: object, seen: number, asked: number, status: PurchaseStatus, more: object][] = [
    ['ACTIVE', active, 0, 1, 'ACTIVE', { expiresAt: day(30), autoRenews: true, price: PRICE }],
    ['ACTIVE past its end', active, 0, 30, 'EXPIRED', { expiryReason: 'UNKNOWN' }],
    ['ACTIVE in a free trial', trial, 0, 6, 'TRIAL', { expiresAt: day(7), price: usd(0), offerId: 'week' }],
    [
      'CANCELED before its end',
      canceled,
      10,
      29,
      'ACTIVE',
      { expiresAt: day(30), autoRenews: false, cancelledAt: day(10) },
    ],
    ['CANCELED at its end', canceled, 10, 30, 'EXPIRED', { expiryReason: 'UNSUBSCRIBED' }],
    ['IN_GRACE_PERIOD', grace, 30, 36, 'GRACE_PERIOD', { expiresAt: day(30), gracePeriodExpiresAt: day(37) }],
    ['IN_GRACE_PERIOD at its end', grace, 30, 37, 'BILLING_RETRY', {}],
    ['ON_HOLD', hold, 38, 39, 'BILLING_RETRY', { gracePeriodExpiresAt: null, autoRenews: true }],
    ['ON_HOLD for 60 days without a word', hold, 38, 99, 'EXPIRED', { expiryReason: 'BILLING_ERROR' }],
    ['PAUSED', paused, 31, 32, 'PAUSED', { expiresAt: day(30), pausedAt: day(30), autoResumeAt: day(60) }],
    [
      'EXPIRED by the buyer',
      ended({ userInitiatedCancellation: {} }),
      30,
      31,
      'EXPIRED',
      { expiryReason: 'UNSUBSCRIBED' },
    ],
    [
      'EXPIRED by billing',
      ended({ systemInitiatedCancellation: {} }),
      30,
      31,
      'EXPIRED',
      { expiryReason: 'BILLING_ERROR' },
    ],
    [
      'EXPIRED by the developer',
      ended({ developerInitiatedCancellation: {} }, 9),
      9,
      9,
      'EXPIRED',
      { expiresAt: day(9), expiryReason: 'DEVELOPER' },
    ],
    [
      'EXPIRED, replaced',
      ended({ replacementCancellation: {} }, 9),
      9,
      10,
      'EXPIRED',
      { expiresAt: day(9), expiryReason: 'REPLACED' },
    ],
  ]
  for (const [name, resource, seen, asked, status, more] of cases)
    for (const observations of [
      observed([resource, seen]),
      observed([resource === trial ? trial : active, 0], [resource, seen]),
    ])
      test(`${name}: ${status} (${observations.length} fetched)`, () => {
        const state = stateOf(observations, asked)
        expect(state).toMatchObject({ status, ...more })
        expect(givesAccess(state.status)).toBe(['ACTIVE', 'TRIAL', 'GRACE_PERIOD'].includes(status))
      })
})

describe('the paid period during a billing problem', () => {
  test('its end, once told, is kept through grace and hold', () => {
    const life = observed([active, 0], [grace, 31], [grace, 33], [hold, 38])
    expect(stateOf(life, 40)).toMatchObject({ status: 'BILLING_RETRY', expiresAt: day(30) })
  })
  test('first seen in grace it ended when it was fetched, at the latest', () =>
    expect(stateOf(observed([grace, 33]), 34)).toMatchObject({ status: 'GRACE_PERIOD', expiresAt: day(33) }))
  test('and a later look does not move it', () =>
    expect(stateOf(observed([grace, 33], [grace, 35]), 36)).toMatchObject({
      status: 'GRACE_PERIOD',
      expiresAt: day(33),
    }))
  test('a period that Google took back (its payment failed) gives no access on hold', () => {
    const early = subscription('ACTIVE', { lineItems: [item({ expiryTime: isoDay(60) })] })
    const failed = subscription('ON_HOLD', { lineItems: [item({ expiryTime: isoDay(31) })] })
    expect(stateOf(observed([early, 29], [failed, 32]), 33)).toMatchObject({
      status: 'BILLING_RETRY',
      expiresAt: day(31),
    })
  })
  test('recovery in grace: the new order counts from the old end', () => {
    const life = observed([active, 0], [grace, 31], [renewed, 35, { chargedAt: day(35) }])
    expect(stateOf(life, 40)).toMatchObject({ status: 'ACTIVE', expiresAt: day(60), gracePeriodExpiresAt: null })
    expect(kindsOf(life)).toEqual([
      ['O:CHARGE', 'INITIAL', 9_990_000],
      ['O..0:CHARGE', 'RENEWAL', 9_990_000],
    ])
  })
  test('recovery from hold', () => {
    const recovered = subscription('ACTIVE', { lineItems: [renewal(0, 75)] })
    expect(stateOf(observed([active, 0], [hold, 38], [recovered, 45]), 46)).toMatchObject({
      status: 'ACTIVE',
      expiresAt: day(75),
    })
  })
  test('hold that ends without payment', () => {
    const life = observed([active, 0], [grace, 31], [hold, 38], [ended({ systemInitiatedCancellation: {} }, 37), 68])
    expect(stateOf(life, 69)).toMatchObject({ status: 'EXPIRED', expiryReason: 'BILLING_ERROR', expiresAt: day(30) })
  })
  test('an order with an offer, first fetched during a billing problem, may have been free: no price', () => {
    const offer = { offerDetails: { basePlanId: 'monthly', offerId: 'week' }, expiryTime: isoDay(14) }
    expect(partOf(fetched(subscription('IN_GRACE_PERIOD', { lineItems: [item(offer)] }), 8)).price).toBeNull()
  })
})

describe('trial', () => {
  test('its conversion is the first renewal, at the recurring price', () => {
    const life = observed([trial, 0], [subscription('ACTIVE', { lineItems: [renewal(0, 37)] }), 7])
    expect(kindsOf(life)).toEqual([
      ['O:CHARGE', 'TRIAL', 0],
      ['O..0:CHARGE', 'TRIAL_CONVERSION', 9_990_000],
    ])
    expect(stateOf(life, 8)).toMatchObject({ status: 'ACTIVE', isTrial: false, offerId: null })
  })
  test('its failed conversion stays a trial without money', () => {
    const failed = subscription('IN_GRACE_PERIOD', { lineItems: [item({ expiryTime: isoDay(14) })] })
    const life = observed([trial, 0], [failed, 8])
    expect(kindsOf(life)).toEqual([['O:CHARGE', 'TRIAL', 0]])
    expect(stateOf(life, 9)).toMatchObject({
      status: 'GRACE_PERIOD',
      expiresAt: day(7),
      isTrial: true,
      offerId: 'week',
    })
  })
  test('of a plan whose price is unknown the trial has none either', () =>
    expect(
      partOf(
        fetched(
          subscription('ACTIVE', { lineItems: [item({ offerPhase: { freeTrial: {} }, autoRenewingPlan: {} })] }),
          0,
        ),
      ).price,
    ).toBeNull())
})

describe('price', () => {
  const phased = (offerPhase: object) =>
    partOf(fetched(subscription('ACTIVE', { lineItems: [item({ offerPhase })] }), 0))
  test('an introductory period is not charged the recurring price', () =>
    expect(phased({ introductoryPrice: {} })).toMatchObject({ price: null, isIntroOffer: true, isTrial: false }))
  test('nor is a prorated one, which is no period of its own', () =>
    expect(phased({ prorationPeriod: {} })).toMatchObject({ price: null, isIntroOffer: false, isUncharged: true }))
  const paid = (total: number | null, phase: OfferPhase | null) => ({
    createdAt: day(0),
    products: new Map([['pro', { total: total === null ? null : usd(total), phase }]]),
    refunds: { whole: null, parts: [] },
  })
  test('is the total of the order, which also tells whether the period is free', () => {
    const order = paid(1_990_000, 'INTRODUCTORY')
    const told = partOf(
      fetched(subscription('ACTIVE', { lineItems: [item({ offerPhase: null as never })] }), 0, { order }),
    )
    expect(told).toMatchObject({ price: usd(1_990_000), isIntroOffer: true })
    expect(partOf(fetched(active, 0, { order: paid(null, null) })).price).toEqual(PRICE)
  })
  describe('of an order that charged the rest of a period', () => {
    const proration = subscription('ACTIVE', { lineItems: [item({ offerPhase: { prorationPeriod: {} } })] })
    const order = paid(3_000_000, 'PRORATION')
    const life = observed([proration, 0, { order }], [proration, 5], [renewed, 30])
    test('is an adjustment, in any order and also when the order is not told again', () => {
      for (const one of [life, life.toReversed(), [...life, ...life]])
        expect(kindsOf(one)).toEqual([
          ['O:CHARGE', 'ADJUSTMENT', 3_000_000],
          ['O..0:CHARGE', 'INITIAL', 9_990_000],
        ])
    })
    test('is given back alone, and ends no access', () => {
      const refunded = [...life.slice(0, 2), refundMarker(ORDER, day(6))]
      expect(kindsOf(refunded).slice(1)).toEqual([['O:REFUND', 'REFUND', -3_000_000]])
      expect(stateOf(refunded, 7)).toMatchObject({ status: 'ACTIVE', refundedAt: null })
      expect(stateOf([...observed([proration, 0]), refundMarker(ORDER, day(6))], 7).status).toBe('REFUNDED')
    })
    test('is none when nothing was paid', () =>
      expect(kindsOf(observed([proration, 0, { order: paid(0, 'PRORATION') }]))).toEqual([]))
  })
  test('a phase that is not told is taken for the base plan', () => expect(phased(null as never).price).toEqual(PRICE))
  test('without a price there is a line without money, never zero', () => {
    const life = observed([
      subscription('ACTIVE', { lineItems: [item({ autoRenewingPlan: { autoRenewEnabled: true } })] }),
      0,
    ])
    expect(kindsOf(life)).toEqual([['O:CHARGE', 'INITIAL', null]])
  })
  test('an order that paid for two products tells the price of each', () => {
    const addOn = item({
      productId: 'add_on',
      autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: { currencyCode: 'USD', units: '2' } },
    })
    const known = observed([active, 0])
    expect(partOf(fetched(subscription('ACTIVE', { lineItems: [addOn] }), 1, { known })).price).toEqual(usd(2_000_000))
  })
  test('a later price does not change what an order cost', () => {
    const dearer = {
      autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: { currencyCode: 'USD', units: '12' } },
    }
    const raised = subscription('ACTIVE', { lineItems: [item(dearer)] })
    const next = subscription('ACTIVE', { lineItems: [renewal(0, 60, dearer)] })
    expect(kindsOf(observed([active, 0], [raised, 20], [next, 30]))).toEqual([
      ['O:CHARGE', 'INITIAL', 9_990_000],
      ['O..0:CHARGE', 'RENEWAL', 12_000_000],
    ])
  })
})

describe('what else a report says', () => {
  test('auto-renew off and on again', () => {
    const life = observed([active, 0], [canceled, 10], [active, 12])
    expect(stateOf(life, 13)).toMatchObject({ status: 'ACTIVE', autoRenews: true, cancelledAt: null })
  })
  test('a later end without a charge', () => {
    const life = observed([active, 0], [subscription('ACTIVE', { lineItems: [item({ expiryTime: isoDay(45) })] }), 9])
    expect(stateOf(life, 44)).toMatchObject({ status: 'ACTIVE', expiresAt: day(45) })
    expect(kindsOf(life)).toHaveLength(1)
  })
  test('a resumed pause', () => {
    const resumed = subscription('ACTIVE', { lineItems: [renewal(0, 90)] })
    const life = observed([active, 0], [paused, 31], [resumed, 60, { chargedAt: day(60) }])
    expect(stateOf(life, 61)).toMatchObject({
      status: 'ACTIVE',
      pausedAt: null,
      autoResumeAt: null,
      purchaseDate: day(60),
    })
  })
  test('a billing problem and a pause that ended without a new order', () => {
    const life = observed(
      [active, 0],
      [hold, 38],
      [subscription('ACTIVE', { lineItems: [item({ expiryTime: isoDay(60) })] }), 40],
    )
    expect(stateOf(life, 41)).toMatchObject({ status: 'ACTIVE', billingTrouble: 'NONE', expiresAt: day(60) })
    const resumed = observed(
      [active, 0],
      [paused, 31],
      [subscription('ACTIVE', { lineItems: [item({ expiryTime: isoDay(60) })] }), 40],
    )
    expect(stateOf(resumed, 41)).toMatchObject({ status: 'ACTIVE', pausedAt: null, autoResumeAt: null })
  })
  test('a pause after a billing problem, and a billing problem after a pause', () => {
    expect(stateOf(observed([hold, 31], [paused, 32]), 33)).toMatchObject({ status: 'PAUSED', billingTrouble: 'NONE' })
    expect(stateOf(observed([paused, 31], [hold, 38]), 39)).toMatchObject({ status: 'BILLING_RETRY', pausedAt: null })
    expect(stateOf(observed([paused, 31], [grace, 32]), 33)).toMatchObject({ status: 'GRACE_PERIOD', pausedAt: null })
  })
  test('the product of the next period, and that it was called off', () => {
    const lineItems = [item({ deferredItemReplacement: { productId: 'basic' } }), { productId: 'basic' }]
    const pending = observed([subscription('ACTIVE', { lineItems }), 0])
    expect(stateOf(pending, 1).pendingStoreProductId).toBe('basic')
    expect(
      stateOf(observed([subscription('ACTIVE', { lineItems }), 0], [active, 2]), 3).pendingStoreProductId,
    ).toBeNull()
  })
  test('consent to a price, until it applies', () => {
    const asking = (priceChangeState: string) => {
      const priceChangeDetails = { priceChangeMode: 'PRICE_INCREASE', priceChangeState }
      return subscription('ACTIVE', {
        lineItems: [item({ autoRenewingPlan: { ...off, autoRenewEnabled: true, priceChangeDetails } })],
      })
    }
    const life = observed([active, 0], [asking('OUTSTANDING'), 5], [asking('CONFIRMED'), 6], [asking('APPLIED'), 30])
    expect(
      [4, 5, 6, 30].map(
        (at) =>
          stateOf(
            life.filter(({ eventAt }) => eventAt <= day(at)),
            at,
          ).priceConsent,
      ),
    ).toEqual([null, 'PENDING', 'ACCEPTED', null])
  })
  test('an end by Google is no cancellation by the buyer', () =>
    expect(stateOf(observed([active, 0], [ended({ systemInitiatedCancellation: {} }), 30]), 31).cancelledAt).toBeNull())
  test('a prepaid plan ends without having been cancelled', () => {
    const lineItems = [item({ autoRenewingPlan: null as never, prepaidPlan: {} })]
    const life = observed([subscription('ACTIVE', { lineItems }), 0], [subscription('EXPIRED', { lineItems }), 30])
    expect(stateOf(life, 31)).toMatchObject({ status: 'EXPIRED', autoRenews: false, expiryReason: 'UNSUBSCRIBED' })
  })
})

describe('when a renewal began', () => {
  const at = (number: number, end: number, fetchedOn: number, context: Partial<FetchContext> = {}) =>
    partOf(fetched(subscription('ACTIVE', { lineItems: [renewal(number, end)] }), fetchedOn, context)).purchaseDate

  test('the first order began with the subscription, whatever caused the fetch', () =>
    expect(partOf(fetched(active, 9, { chargedAt: day(9) })).purchaseDate).toBe(day(0)))
  test('as the notification of its charge told', () => expect(at(0, 60, 31, { chargedAt: day(30.5) })).toBe(day(30.5)))
  test('else one period before its end', () => expect(at(0, 38, 20, { period: 'P1M' })).toBe(Date.UTC(2026, 0, 8, 8)))
  test('also at the end of a month', () => {
    const march = subscription('ACTIVE', {
      startTime: '2026-01-31T08:00:00Z',
      lineItems: [item({ latestSuccessfulOrderId: `${ORDER}..0`, expiryTime: '2026-03-31T08:00:00Z' })],
    })
    const began = partOf(fetched(march, 70, { period: 'P1M' })).purchaseDate
    expect(new Date(began).toISOString()).toBe('2026-02-28T08:00:00.000Z')
  })
  test('else where it stands among equal periods', () => expect(at(1, 90, 80)).toBe(day(60)))
  test('never after the fetch', () => expect(at(0, 372, 10)).toBe(day(10)))
  test('a period that reaches back before the start is not that of the plan', () =>
    expect(at(0, 2, 1, { period: 'P1M' })).toBe(day(1)))
  test('nor is one by another name', () => expect(at(1, 90, 80, { period: 'monthly' })).toBe(day(60)))
  test('a date once told stays', () => {
    const life = observed(
      [active, 0],
      [renewed, 31, { chargedAt: day(30) }],
      [renewed, 50],
      [renewed, 55, { period: 'P1W' }],
    )
    expect(stateOf(life, 56).purchaseDate).toBe(day(30))
  })
  test('later orders come after earlier ones, even the eleventh and after a pause', () => {
    const tenth = subscription('ACTIVE', { lineItems: [renewal(9, 361)] })
    const eleventh = subscription('ACTIVE', { lineItems: [renewal(10, 361.5)] })
    const life = observed([tenth, 332, { chargedAt: day(331.5) }], [eleventh, 340])
    expect(stateOf(life, 341)).toMatchObject({ storeTransactionId: `${ORDER}..10`, expiresAt: day(361.5) })
  })
  test('an order fetched before but told after a later one stays before it', () => {
    const late = observed([subscription('ACTIVE', { lineItems: [renewal(1, 90)] }), 62])
    const early = fetched(renewed, 61, { known: late, chargedAt: day(61) })
    expect(stateOf([...late, ...early], 62)).toMatchObject({ storeTransactionId: `${ORDER}..1`, expiresAt: day(90) })
  })
  test('orders of another purchase do not move it', () => {
    const other = observed([
      subscription('ACTIVE', { lineItems: [item({ latestSuccessfulOrderId: 'GPA.other..7' })] }),
      25,
    ])
    expect(partOf(fetched(renewed, 59, { known: other, chargedAt: day(27) })).purchaseDate).toBe(day(27))
  })
})

describe('two fetches in one millisecond', () => {
  test('answered differently are two words, the second the later', () => {
    const life = observed([active, 10], [canceled, 10], [active, 10])
    expect(life.map(({ eventAt }) => eventAt - day(10))).toEqual([0, 1, 2])
    expect(stateOf(life, 11)).toMatchObject({ autoRenews: true })
  })
  test('answered alike are the same word', () => {
    const [first, again] = observed([active, 10], [active, 10])
    expect(again).toEqual(first as Observation)
  })
})

describe('a word that says nothing new', () => {
  const repeats = (resource: object, before: readonly [resource: object, at: number][], at: number) => {
    const known = observed(...before)
    return fetched(resource, at, { known }).every((one) => saysNothingNew(one, known))
  }
  test('is the same state, fetched later', () => {
    for (const same of [active, trial, canceled, grace, hold, paused])
      expect(repeats(same, [[same, 32]], 33)).toBe(true)
  })
  test('is not the first one', () => expect(repeats(active, [], 1)).toBe(false))
  test('is not another state, nor one come back', () => {
    expect(repeats(canceled, [[active, 1]], 2)).toBe(false)
    expect(
      repeats(
        active,
        [
          [active, 1],
          [canceled, 2],
        ],
        3,
      ),
    ).toBe(false)
  })
  test('is not one fetched before the newest', () => expect(repeats(active, [[active, 5]], 4)).toBe(false))
  test('is the same state, whatever its successor told at the same instant', () => {
    const replaced = ended({ replacementCancellation: {} }, 5)
    const known = observed([active, 0], [replaced, 5])
    const resource = subscription('ACTIVE', { linkedPurchaseToken: 'old-token', startTime: isoDay(5) })
    const { subscription: successor } = decoded(resource)
    const told = reportReplaced(successor, day(5))?.report
    if (!told) throw new Error('nothing was replaced')
    for (const all of [
      [...known, told],
      [told, ...known],
    ])
      expect(fetched(replaced, 6, { known }).every((one) => saysNothingNew(one, all))).toBe(true)
  })
  test('is no marker', () => expect(saysNothingNew(refundMarker(ORDER, day(9)), observed([active, 1]))).toBe(false))
})

describe('taken back', () => {
  test('a revocation marks the current order', () => {
    const gone = ended({ developerInitiatedCancellation: {} }, 9)
    const life = observed([active, 0], [gone, 9, { revokedAt: day(9) }])
    expect(stateOf(life, 10)).toMatchObject({ status: 'REVOKED', revokedAt: day(9) })
    expect(kindsOf(life)).toEqual([
      ['O:CHARGE', 'INITIAL', 9_990_000],
      ['O:REFUND', 'REFUND', -9_990_000],
    ])
  })
  test('a refund and a revocation of one charge give one negative line', () => {
    const life = observed([active, 0], [ended({}, 9), 9, { revokedAt: day(9) }])
    expect(kindsOf([...life, refundMarker(ORDER, day(9)), refundMarker(ORDER, day(11))])).toHaveLength(2)
  })
  test('a refund of an earlier order leaves the access', () => {
    const life = [...observed([active, 0], [renewed, 30]), refundMarker(ORDER, day(35))]
    expect(stateOf(life, 36)).toMatchObject({ status: 'ACTIVE', expiresAt: day(60) })
  })
  test('a refund of an order that nobody reported changes nothing', () =>
    expect(stateOf([...observed([active, 0]), refundMarker('GPA.other', day(1))], 2).status).toBe('ACTIVE'))
})

describe('replacement', () => {
  const upgraded = decoded(
    subscription('ACTIVE', { linkedPurchaseToken: 'old-token', startTime: isoDay(10) }),
  ).subscription

  test('the purchase before it ends at once', () => {
    const word = reportReplaced(upgraded, day(10))
    if (!word) throw new Error('no word')
    expect(word.purchaseToken).toBe('old-token')
    expect(stateOf([...observed([active, 0]), word.report], 10)).toMatchObject({
      status: 'EXPIRED',
      expiryReason: 'REPLACED',
      expiresAt: day(10),
    })
  })
  test('told again it is the same word', () =>
    expect(reportReplaced(upgraded, day(12))?.report.id).toBe(reportReplaced(upgraded, day(10))?.report.id))
  test('the new token is not spelled out in it', () =>
    expect(JSON.stringify(reportReplaced(upgraded, day(10)))).not.toContain(TOKEN))
  test('of a purchase that replaces none there is no word', () =>
    expect(reportReplaced(decoded(active).subscription, day(10))).toBeNull())
  test('its end is never in the future', () =>
    expect(reportReplaced(upgraded, day(9))?.report.ended).toEqual({ at: day(9), reason: 'REPLACED' }))
})

test('an order without id gets one that its token always gives', () => {
  const { subscription: purchase, item: line } = decoded(active)
  const ids = [day(0), day(1)].map(
    (fetchedAt) =>
      partOf(reportSubscription(purchase, { ...line, orderId: null }, { fetchedAt, known: [] })).transactionId,
  )
  expect(ids[0]).toMatch(/^android:[0-9a-f]{32}$/)
  expect(ids[1]).toBe(ids[0] ?? '')
})
