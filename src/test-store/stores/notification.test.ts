import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import type { PurchaseStatus } from '../../core/purchase/status'
import { foldAsOf, foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import type { PurchaseFold, PurchaseState } from '../../people/purchases/model'
import { statusAt } from '../../people/purchases/status'
import { purchaseEvents } from '../../people/purchases/transitions'
import { ChainVerifier } from '../../stores/ios/chain'
import { decodeTransaction, type TransactionPayload } from '../../stores/ios/decode'
import { verifySigned } from '../../stores/ios/jws'
import { verifyNotification } from '../../stores/ios/notification'
import type { DecodedNotification } from '../../stores/ios/notification-decode'
import type { RenewalPayload } from '../../stores/ios/renewal'
import { trustedRoots } from '../../stores/ios/roots'
import type { Observation, ProductType } from '../../stores/observation'
import { makeSimulatorKeys, simulatorRoot } from '../../stores/test-keys/keys'
import { type SimulatedProduct, signTransaction, simulatedPurchase, simulatedRefund, simulatedRenewal } from './ios'
import {
  type NotificationKind,
  OTHER_NOTIFICATIONS,
  PURCHASE_NOTIFICATIONS,
  signNotification,
  simulatedRenewalInfo,
  UNKNOWN_NOTIFICATIONS,
} from './notification'

const START = Date.UTC(2026, 0, 1)
const day = (count: number): number => START + count * DAY
const BUNDLE = 'com.example.sleep'
const SEED = 20261120

const monthly: SimulatedProduct = {
  productId: 'pro_monthly',
  type: 'Auto-Renewable Subscription',
  period: 'P30D',
  price: 9990,
  currency: 'USD',
  trialPeriod: 'P7D',
}
const yearly: SimulatedProduct = { ...monthly, productId: 'pro_yearly', period: 'P360D', price: 79990 }
const coins: SimulatedProduct = { productId: 'coins', type: 'Consumable', period: null, price: 990, currency: 'USD' }

const keys = await makeSimulatorKeys(START)
const root = simulatorRoot(keys)
const chains = new ChainVerifier(trustedRoots(root ? [root] : []))
const verifier = { verify: (token: string, options: object) => verifySigned(token, chains, options) }

const bought = simulatedPurchase({ bundleId: BUNDLE, product: monthly, transactionId: '1', now: day(0) })
const renewed = simulatedRenewal(bought, { product: monthly, transactionId: '2', now: day(30) })
const chargedEarly = simulatedRenewal(bought, { product: monthly, transactionId: '2', now: day(29) })
const trial = simulatedPurchase({
  bundleId: BUNDLE,
  product: monthly,
  transactionId: '1',
  now: day(0),
  withTrial: true,
})
const refunded = (at: number, payload = bought): TransactionPayload => simulatedRefund(payload, day(at))

interface SentNotification {
  at: number
  kind: NotificationKind
  transaction: TransactionPayload | null
  renewal?: Partial<RenewalPayload> | null
}

const sign = ({ at, kind, transaction, renewal }: SentNotification): string =>
  signNotification(keys, {
    kind,
    notificationId: `${kind.join('/')}@${at}`,
    now: day(at),
    bundleId: BUNDLE,
    transaction,
    ...(renewal === undefined ? {} : { renewal }),
  })

async function receive(told: SentNotification): Promise<DecodedNotification> {
  const expectations = { bundleId: BUNDLE, appId: null, allowLocal: false }
  const result = await verifyNotification(sign(told), verifier, expectations)
  if (!result.ok) throw new Error(`${told.kind.join(' ')}: ${result.reason} ${result.detail}`)
  return result.notification
}

/** All observations from a series of notifications. Some notifications give none. */
async function observationsOf(life: readonly SentNotification[]): Promise<Observation[]> {
  const received = await Promise.all(life.map(receive))
  return received.flatMap(({ effect }) => (effect.kind === 'OBSERVATIONS' ? effect.observations : []))
}

function stateAt(observations: readonly Observation[], at: number, type: ProductType = 'SUBSCRIPTION'): PurchaseState {
  const fold = foldAsOf(observations, type, day(at))
  if (!fold) throw new Error('nothing was bought')
  return statusAt(fold, day(at))
}

const told = (
  at: number,
  kind: NotificationKind,
  transaction = bought,
  renewal?: SentNotification['renewal'],
): SentNotification => ({
  at,
  kind,
  transaction,
  ...(renewal === undefined ? {} : { renewal }),
})

const BUY = told(0, ['SUBSCRIBED', 'INITIAL_BUY'])
const GRACE_END = { gracePeriodExpiresDate: day(46) }
const FAILED_IN_GRACE = told(30, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'], bought, GRACE_END)
const upgraded = simulatedPurchase({
  bundleId: BUNDLE,
  product: yearly,
  transactionId: '2',
  now: day(10),
  previous: bought,
})
const again = simulatedPurchase({
  bundleId: BUNDLE,
  product: monthly,
  transactionId: '2',
  now: day(40),
  previous: bought,
})
const shared = simulatedPurchase({
  bundleId: BUNDLE,
  product: monthly,
  transactionId: '1',
  now: day(0),
  ownershipType: 'FAMILY_SHARED',
})

type Expected = Partial<Omit<PurchaseFold, 'expiryReason'>> & { expiryReason?: string | null }

/** The tables of wire 4.2 and 5.5: a series of notifications, then the status on a day. */
const table: [life: SentNotification[], asked: [at: number, status: PurchaseStatus, members?: Expected][]][] = [
  [
    [BUY],
    [
      [1, 'ACTIVE', { autoRenews: true, billingTrouble: 'NONE' }],
      [30, 'EXPIRED'],
    ],
  ],
  [
    [told(0, ['SUBSCRIBED', 'INITIAL_BUY'], trial)],
    [
      [1, 'TRIAL', { isTrial: true }],
      [7, 'EXPIRED'],
    ],
  ],
  [
    [
      BUY,
      told(5, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED']),
      told(30, ['EXPIRED', 'VOLUNTARY']),
      told(40, ['SUBSCRIBED', 'RESUBSCRIBE'], again),
    ],
    [
      [35, 'EXPIRED'],
      [41, 'ACTIVE', { autoRenews: true, cancelledAt: null, storeTransactionId: '2' }],
    ],
  ],
  [[BUY, told(30, ['DID_RENEW', null], renewed)], [[31, 'ACTIVE', { storeTransactionId: '2', expiresAt: day(60) }]]],
  [
    [BUY, FAILED_IN_GRACE, told(40, ['DID_RENEW', 'BILLING_RECOVERY'], again)],
    [
      [35, 'GRACE_PERIOD'],
      [41, 'ACTIVE', { billingTrouble: 'NONE', gracePeriodExpiresAt: null }],
    ],
  ],
  [
    [BUY, told(10, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'])],
    [
      [11, 'ACTIVE', { autoRenews: false, cancelledAt: day(10) }],
      [31, 'EXPIRED', { expiryReason: 'UNSUBSCRIBED' }],
    ],
  ],
  [
    [
      BUY,
      told(10, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED']),
      told(12, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED']),
    ],
    [[13, 'ACTIVE', { autoRenews: true, cancelledAt: null }]],
  ],
  [
    [BUY, told(10, ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], upgraded)],
    [[11, 'ACTIVE', { storeProductId: 'pro_yearly', pendingStoreProductId: null, expiresAt: day(370) }]],
  ],
  [
    [BUY, told(10, ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'], bought, { autoRenewProductId: 'pro_weekly' })],
    [[11, 'ACTIVE', { storeProductId: 'pro_monthly', pendingStoreProductId: 'pro_weekly' }]],
  ],
  [
    [
      BUY,
      told(10, ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'], bought, { autoRenewProductId: 'pro_weekly' }),
      told(12, ['DID_CHANGE_RENEWAL_PREF', null]),
    ],
    [[13, 'ACTIVE', { pendingStoreProductId: null }]],
  ],
  [
    [BUY, FAILED_IN_GRACE],
    [
      [35, 'GRACE_PERIOD', { gracePeriodExpiresAt: day(46) }],
      [46, 'BILLING_RETRY'],
      [91, 'EXPIRED'],
    ],
  ],
  [[BUY, told(30, ['DID_FAIL_TO_RENEW', null])], [[31, 'BILLING_RETRY', { billingTrouble: 'RETRY' }]]],
  [
    [BUY, told(29, ['DID_FAIL_TO_RENEW', null])],
    [
      [29, 'ACTIVE'],
      [31, 'BILLING_RETRY'],
    ],
  ],
  [
    [BUY, FAILED_IN_GRACE, told(46, ['GRACE_PERIOD_EXPIRED', null], bought, GRACE_END)],
    [[47, 'BILLING_RETRY', { billingTrouble: 'RETRY', gracePeriodExpiresAt: null }]],
  ],
  [
    [BUY, told(30, ['EXPIRED', 'VOLUNTARY'])],
    [[31, 'EXPIRED', { expiryReason: 'UNSUBSCRIBED', expiresAt: day(30), autoRenews: false }]],
  ],
  [
    [BUY, told(30, ['DID_FAIL_TO_RENEW', null]), told(90, ['EXPIRED', 'BILLING_RETRY'])],
    [
      [40, 'BILLING_RETRY'],
      [90, 'EXPIRED', { expiryReason: 'BILLING_ERROR', billingTrouble: 'NONE' }],
    ],
  ],
  [
    [BUY, told(30, ['DID_FAIL_TO_RENEW', null]), told(33, ['EXPIRED', 'BILLING_RETRY'])],
    [[34, 'EXPIRED', { expiryReason: 'BILLING_ERROR' }]],
  ],
  [
    [BUY, told(20, ['PRICE_INCREASE', 'PENDING']), told(30, ['EXPIRED', 'PRICE_INCREASE'])],
    [
      [21, 'ACTIVE', { priceConsent: 'PENDING' }],
      [31, 'EXPIRED', { expiryReason: 'PRICE_INCREASE' }],
    ],
  ],
  [[BUY, told(30, ['EXPIRED', 'PRODUCT_NOT_FOR_SALE'])], [[31, 'EXPIRED', { expiryReason: 'PRODUCT_UNAVAILABLE' }]]],
  [[BUY, told(30, ['EXPIRED', null])], [[31, 'EXPIRED', { expiryReason: 'UNKNOWN' }]]],
  [
    [told(0, ['OFFER_REDEEMED', 'INITIAL_BUY'], { ...bought, offerType: 3, offerIdentifier: 'spring' })],
    [[1, 'ACTIVE', { offerId: 'spring', autoRenews: true }]],
  ],
  [
    [BUY, told(30, ['EXPIRED', 'VOLUNTARY']), told(40, ['OFFER_REDEEMED', 'RESUBSCRIBE'], again)],
    [[41, 'ACTIVE', { autoRenews: true, storeTransactionId: '2' }]],
  ],
  [[BUY, told(10, ['OFFER_REDEEMED', 'UPGRADE'], upgraded)], [[11, 'ACTIVE', { storeProductId: 'pro_yearly' }]]],
  [
    [BUY, told(10, ['OFFER_REDEEMED', 'DOWNGRADE'], bought, { autoRenewProductId: 'pro_weekly' })],
    [[11, 'ACTIVE', { storeProductId: 'pro_monthly', pendingStoreProductId: 'pro_weekly' }]],
  ],
  [[BUY, told(10, ['OFFER_REDEEMED', null])], [[11, 'ACTIVE']]],
  [
    [BUY, told(10, ['PRICE_INCREASE', 'PENDING']), told(12, ['PRICE_INCREASE', 'ACCEPTED'])],
    [
      [11, 'ACTIVE', { priceConsent: 'PENDING' }],
      [13, 'ACTIVE', { priceConsent: 'ACCEPTED' }],
    ],
  ],
  [
    [BUY, told(10, ['RENEWAL_EXTENDED', null], { ...bought, expiresDate: day(44) })],
    [
      [31, 'ACTIVE', { expiresAt: day(44) }],
      [44, 'EXPIRED'],
    ],
  ],
  [
    [BUY, told(10, ['RENEWAL_EXTENDED', null], bought, { renewalDate: day(44) })],
    [[31, 'ACTIVE', { expiresAt: day(44) }]],
  ],
  [[BUY, told(5, ['REFUND', null], refunded(5))], [[6, 'REFUNDED', { refundedAt: day(5), autoRenews: false }]]],
  [
    [BUY, told(5, ['REFUND', null], refunded(5)), told(9, ['REFUND_REVERSED', null])],
    [
      [6, 'REFUNDED'],
      [10, 'ACTIVE', { refundedAt: null }],
      [31, 'EXPIRED'],
    ],
  ],
  [
    [BUY, told(30, ['DID_RENEW', null], renewed), told(35, ['REFUND', null], refunded(35))],
    [[36, 'ACTIVE', { storeTransactionId: '2', refundedAt: null }]],
  ],
  [[BUY, told(5, ['REFUND_DECLINED', null])], [[6, 'ACTIVE']]],
  [
    [told(0, ['SUBSCRIBED', 'INITIAL_BUY'], shared), told(3, ['REVOKE', null], simulatedRefund(shared, day(3)))],
    [
      [2, 'ACTIVE'],
      [4, 'REVOKED', { revokedAt: day(3), price: null }],
    ],
  ],
  [[BUY, told(5, ['CONSUMPTION_REQUEST', null])], [[6, 'ACTIVE']]],
  [
    [BUY, told(29, ['DID_RENEW', null], chargedEarly)],
    [[29, 'ACTIVE', { storeTransactionId: '2', expiresAt: day(60) }]],
  ],
]

describe('each notification, signed, verified and folded', () => {
  for (const [life, asked] of table)
    for (const [at, status, members = {}] of asked)
      test(`${life.map(({ at: when, kind }) => `${kind.filter(Boolean).join(' ')} (${when})`).join(', ')}: on day ${at} ${status}`, async () => {
        const observations = await observationsOf(life)
        const expected = { status, ...members }
        expect(stateAt(observations, at) as object).toMatchObject(expected)
        expect(stateAt(observations.toReversed(), at) as object).toMatchObject(expected)
        expect(stateAt([...observations, ...observations], at) as object).toMatchObject(expected)
      })

  test('the table has every kind that concerns a purchase', () => {
    const told = new Set(table.flatMap(([life]) => life.map(({ kind }) => kind.join('/'))))
    const missing = PURCHASE_NOTIFICATIONS.map((kind) => kind.join('/')).filter((kind) => !told.has(kind))
    expect(missing).toEqual(['ONE_TIME_CHARGE/']) // It has its own test: it is about no subscription.
  })

  test('a one-time charge is one purchase, and its refund takes it back', async () => {
    const buy = simulatedPurchase({ bundleId: BUNDLE, product: coins, transactionId: '7', now: day(0), quantity: 3 })
    const life = [told(0, ['ONE_TIME_CHARGE', null], buy)]
    const observations = await observationsOf(life)
    expect(observations).toHaveLength(1)
    expect(stateAt(observations, 900, 'CONSUMABLE')).toMatchObject({ status: 'ACTIVE', expiresAt: null, quantity: 3 })
    const back = await observationsOf([...life, told(5, ['REFUND', null], refunded(5, buy))])
    expect(stateAt(back, 6, 'CONSUMABLE').status).toBe('REFUNDED')
  })

  for (const kind of OTHER_NOTIFICATIONS)
    test(`${kind.filter(Boolean).join(' ')} observes nothing`, async () => {
      const { effect } = await receive({ at: 1, kind, transaction: bought })
      expect(effect.kind).toBe(kind[0] === 'TEST' ? 'TEST' : 'IGNORED')
    })

  for (const kind of UNKNOWN_NOTIFICATIONS)
    test(`${kind.filter(Boolean).join(' ')} is the report of its transaction, and nothing else`, async () => {
      const observations = await observationsOf([{ at: 1, kind, transaction: bought, renewal: { autoRenewStatus: 0 } }])
      expect(stateAt(observations, 2)).toMatchObject({ status: 'ACTIVE', storeTransactionId: '1', autoRenews: false })
      const returned = await observationsOf([{ at: 2, kind, transaction: refunded(2) }])
      expect(stateAt([...observations, ...returned], 3).status).toBe('REFUNDED')
      const { effect } = await receive({ at: 1, kind, transaction: null })
      expect(effect).toEqual({ kind: 'IGNORED', reason: 'UNKNOWN_TYPE' })
    })
})

describe('the events of wire 5.5', () => {
  const events: [before: SentNotification[], last: SentNotification, asked: number, types: string[]][] = [
    [[], BUY, 1, ['purchase.initial']],
    [[], told(0, ['SUBSCRIBED', 'INITIAL_BUY'], trial), 1, ['purchase.trial_started']],
    [[BUY], told(30, ['DID_RENEW', null], renewed), 31, ['purchase.renewed']],
    [[BUY, FAILED_IN_GRACE], told(40, ['DID_RENEW', 'BILLING_RECOVERY'], again), 41, ['purchase.recovered']],
    [[BUY], told(5, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED']), 6, ['purchase.cancelled']],
    [
      [BUY, told(5, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'])],
      told(6, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED']),
      7,
      ['purchase.uncancelled'],
    ],
    [[BUY], told(10, ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], upgraded), 11, ['purchase.product_changed']],
    [
      [BUY],
      told(10, ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'], bought, { autoRenewProductId: 'pro_weekly' }),
      11,
      ['purchase.product_changed'],
    ],
    [[BUY], FAILED_IN_GRACE, 31, ['purchase.billing_issue', 'purchase.grace_period']],
    [[BUY], told(30, ['DID_FAIL_TO_RENEW', null]), 31, ['purchase.billing_issue']],
    [[BUY, FAILED_IN_GRACE], told(46, ['GRACE_PERIOD_EXPIRED', null]), 47, ['purchase.billing_issue']],
    [
      [BUY, told(5, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'])],
      told(30, ['EXPIRED', 'VOLUNTARY']),
      31,
      ['purchase.expired'],
    ],
    [
      [BUY, told(20, ['PRICE_INCREASE', 'PENDING'])],
      told(30, ['EXPIRED', 'PRICE_INCREASE'], bought, { priceIncreaseStatus: 0 }),
      31,
      ['purchase.expired'],
    ],
    [[BUY], told(10, ['PRICE_INCREASE', 'PENDING']), 11, ['purchase.price_increase_consent']],
    [[BUY], told(10, ['RENEWAL_EXTENDED', null], { ...bought, expiresDate: day(44) }), 11, ['purchase.extended']],
    [[BUY], told(5, ['REFUND', null], refunded(5), { autoRenewStatus: 1 }), 6, ['purchase.refunded']],
    [
      [BUY, told(5, ['REFUND', null], refunded(5), { autoRenewStatus: 1 })],
      told(9, ['REFUND_REVERSED', null]),
      10,
      ['purchase.refund_reversed'],
    ],
    [[BUY], told(12, ['OFFER_REDEEMED', null]), 13, []],
  ]
  for (const [before, last, asked, types] of events)
    test(`${last.kind.filter(Boolean).join(' ')} after ${before.length} others: ${types.join(', ') || 'none'}`, async () => {
      const known = await observationsOf(before)
      const all = [...known, ...(await observationsOf([last]))]
      const fold = foldObservations(known, 'SUBSCRIPTION')
      const earlier = fold && statusAt(fold, fold.storeEventAt)
      const keysTold = new Set(transactionLines(known, 'SUBSCRIPTION').map(({ key }) => key))
      const newLines = transactionLines(all, 'SUBSCRIPTION').filter(({ key }) => !keysTold.has(key))
      const context = { newLines, productIdOf: (id: string) => id, transactionIdOf: (id: string) => id }
      expect(purchaseEvents(earlier, stateAt(all, asked), context).map(({ type }) => type)).toEqual(types as never)
    })
})

describe('receipts and notifications of one thing', () => {
  const receiptOf = (payload: TransactionPayload): Observation[] => {
    const signed = verifySigned(signTransaction(keys, payload), chains)
    const decoded = signed.ok ? decodeTransaction(signed.payload) : signed
    if (!decoded.ok) throw new Error(decoded.reason)
    return decoded.transaction.observations
  }

  test('the transaction in a notification and a receipt of the same signing are one observation', async () => {
    const [report] = await observationsOf([BUY])
    expect(receiptOf(bought)).toEqual([report as Observation])
  })

  test('a refund told by both is one marker and one negative line', async () => {
    const back = refunded(5)
    const [, marker] = receiptOf({ ...back, signedDate: day(8) })
    const observations = await observationsOf([BUY, told(6, ['REFUND', null], back)])
    expect(observations).toContainEqual(marker as Observation)
    const kinds = (all: Observation[]) => transactionLines(all, 'SUBSCRIPTION').map(({ kind }) => kind)
    expect(kinds([...observations, ...receiptOf(back), ...receiptOf({ ...back, signedDate: day(8) })])).toEqual([
      'INITIAL',
      'REFUND',
    ])
  })

  test('a receipt after a reported billing problem does not clear it', async () => {
    const observations = await observationsOf([BUY, told(30, ['DID_FAIL_TO_RENEW', null])])
    const receipt = receiptOf({ ...bought, signedDate: day(33) })
    expect(stateAt([...observations, ...receipt], 34).status).toBe('BILLING_RETRY')
  })

  test('an end told late, when the customer has bought again, leaves the new period alone', async () => {
    const early = simulatedPurchase({
      bundleId: BUNDLE,
      product: monthly,
      transactionId: '2',
      now: day(31),
      previous: bought,
    })
    const life = [BUY, told(31, ['SUBSCRIBED', 'RESUBSCRIBE'], early), told(32, ['EXPIRED', 'VOLUNTARY'], bought)]
    expect(stateAt(await observationsOf(life), 33)).toMatchObject({ status: 'ACTIVE', expiresAt: day(61) })
  })

  test('a refund of a part ends the access: the part decides only the money', async () => {
    const terms = { revocationType: 'REFUND_PRORATED', revocationPercentage: 40_000 }
    const observations = await observationsOf([BUY, told(5, ['REFUND', null], { ...refunded(5), ...terms })])
    expect(stateAt(observations, 6)).toMatchObject({ status: 'REFUNDED', refundedAt: day(5) })
    expect(transactionLines(observations, 'SUBSCRIPTION').map(({ price }) => price?.amountMicros)).toEqual([
      9_990_000, -3_996_000,
    ])
  })
})

test('order and repetition of notifications change nothing', async () => {
  const life = [
    BUY,
    told(10, ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'], bought, { autoRenewProductId: 'pro_weekly' }),
    FAILED_IN_GRACE,
    told(46, ['GRACE_PERIOD_EXPIRED', null]),
    told(
      50,
      ['DID_RENEW', 'BILLING_RECOVERY'],
      simulatedRenewal(bought, { product: monthly, transactionId: '2', now: day(50) }),
    ),
    told(55, ['REFUND', null], refunded(55)),
    told(60, ['REFUND_REVERSED', null]),
  ]
  const observations = await observationsOf(life)
  const whole = foldObservations(observations, 'SUBSCRIPTION')
  const arrival = fc.shuffledSubarray([...observations, ...observations], { minLength: 2 * observations.length })
  const property = fc.property(arrival, (arrived) => {
    expect(foldObservations(arrived, 'SUBSCRIPTION')).toEqual(whole)
  })
  fc.assert(property, { seed: SEED, numRuns: 300 })
})

test('renewal information of each kind has the members that Apple gives it', () => {
  expect(simulatedRenewalInfo(bought, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'])).toEqual({
    originalTransactionId: '1',
    productId: 'pro_monthly',
    autoRenewProductId: 'pro_monthly',
    autoRenewStatus: 1,
    isInBillingRetryPeriod: true,
    expirationIntent: 2,
    gracePeriodExpiresDate: day(46),
    renewalDate: day(30),
    recentSubscriptionStartDate: day(0),
    signedDate: day(0),
    environment: 'Sandbox',
  })
})
