import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../base/lib/time'
import type { Marker, RenewalPart, Report } from '../observation'
import { decodeTransaction } from './decode'
import { decodeNotification, type NotificationEffect } from './notification-decode'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120
const ID = '002e14d5-51f5-4503-b5a8-c3a1af68eb20'
const BUNDLE = 'com.example.app'

const transaction: Payload = {
  transactionId: '2000000000000002',
  originalTransactionId: '2000000000000001',
  bundleId: BUNDLE,
  productId: 'pro_monthly',
  purchaseDate: NOW - DAY,
  originalPurchaseDate: NOW - 31 * DAY,
  expiresDate: NOW + 29 * DAY,
  quantity: 1,
  type: 'Auto-Renewable Subscription',
  inAppOwnershipType: 'PURCHASED',
  signedDate: NOW,
  environment: 'Production',
  transactionReason: 'RENEWAL',
  price: 9990,
  currency: 'USD',
}
const renewal: Payload = {
  originalTransactionId: '2000000000000001',
  autoRenewProductId: 'pro_monthly',
  productId: 'pro_monthly',
  autoRenewStatus: 1,
  isInBillingRetryPeriod: false,
  signedDate: NOW,
  environment: 'Production',
  renewalDate: NOW + 29 * DAY,
}
const data: Payload = {
  appAppleId: 1234567890,
  bundleId: BUNDLE,
  bundleVersion: '1.2.3',
  environment: 'Production',
  signedTransactionInfo: 'e.e.e',
  signedRenewalInfo: 'e.e.e',
  status: 1,
}

type Payload = Record<string, unknown>

interface Story {
  type?: string
  subtype?: string | null
  transaction?: Payload | null
  renewal?: Payload | null
  outer?: Payload
  data?: Payload
}

/** A notification with some members changed; `undefined` removes a member. */
function outerOf({ type = 'DID_RENEW', subtype = null, outer = {}, data: changes = {} }: Story): Payload {
  const inner = without({ ...data, ...changes })
  const base = { notificationType: type, notificationUUID: ID, version: '2.0', signedDate: NOW + 5, data: inner }
  return without({ ...base, ...(subtype === null ? {} : { subtype }), ...outer })
}

const without = (payload: Payload): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))

function decode(story: Story) {
  const nested = {
    transaction: story.transaction === null ? null : without({ ...transaction, ...story.transaction }),
    renewal: story.renewal === null ? null : without({ ...renewal, ...story.renewal }),
  }
  return decodeNotification(outerOf(story), nested)
}

function effect(story: Story): NotificationEffect {
  const result = decode(story)
  if (!result.ok) throw new Error(`refused: ${result.reason} ${result.detail}`)
  return result.notification.effect
}

function observed(story: Story) {
  const told = effect(story)
  if (told.kind !== 'OBSERVATIONS') throw new Error(`${told.kind} observes nothing`)
  return told
}

/** The report of the renewal part, if there is one. */
const onward = (story: Story): Report | undefined =>
  observed(story).observations.find((one): one is Report => one.id === `renewal:${ID}`)

const markers = (story: Story): Marker[] =>
  observed(story).observations.filter((one): one is Marker => one.kind !== 'REPORT')

describe('the envelope', () => {
  test('says whom it is for and what it is called', () => {
    const result = decode({ type: 'DID_CHANGE_RENEWAL_STATUS', subtype: 'AUTO_RENEW_DISABLED' })
    expect(result).toMatchObject({
      ok: true,
      notification: {
        notificationId: ID,
        type: 'DID_CHANGE_RENEWAL_STATUS',
        subtype: 'AUTO_RENEW_DISABLED',
        environment: 'PRODUCTION',
        bundleId: BUNDLE,
        appAppleId: 1234567890,
        signedAt: NOW + 5,
      },
    })
  })

  test('carries no signed text along', () => {
    const result = decode({})
    expect(Object.keys(result.ok ? result.notification : {})).toHaveLength(8)
  })

  test('in the sandbox has no app id', () => {
    const environment = 'Sandbox'
    const story = {
      data: { environment, appAppleId: undefined },
      transaction: { environment },
      renewal: { environment },
    }
    expect(decode(story)).toMatchObject({ notification: { environment: 'SANDBOX', appAppleId: null, subtype: null } })
  })

  const others: [name: string, part: Payload, environment: string][] = [
    ['a summary', { summary: { environment: 'Production', bundleId: BUNDLE, failedCount: 1 } }, 'PRODUCTION'],
    ['a token for an outside purchase', { externalPurchaseToken: { bundleId: BUNDLE } }, 'PRODUCTION'],
    [
      'a sandbox token for an outside purchase',
      { externalPurchaseToken: { bundleId: BUNDLE, externalPurchaseId: 'SANDBOX_7' } },
      'SANDBOX',
    ],
    ['app data', { appData: { environment: 'Sandbox', bundleId: BUNDLE } }, 'SANDBOX'],
  ]
  for (const [name, part, environment] of others)
    test(`${name} says whom it is for`, () => {
      const outer = { data: undefined, ...part }
      expect(decode({ type: 'RENEWAL_EXTENSION', outer })).toMatchObject({
        notification: { environment, bundleId: BUNDLE, effect: { kind: 'IGNORED' } },
      })
    })
})

describe('the transaction part', () => {
  const receipt = decodeTransaction(transaction)
  const [report] = receipt.ok ? receipt.transaction.observations : []

  for (const type of ['SUBSCRIBED', 'DID_RENEW', 'EXPIRED', 'RENEWAL_EXTENDED', 'ONE_TIME_CHARGE', 'OFFER_REDEEMED'])
    test(`of ${type} is the very report that a receipt gives`, () => {
      expect(observed({ type }).observations[0]).toEqual(report as Report)
    })

  test('says which chain it is of', () => {
    expect(observed({}).transaction).toMatchObject({
      chainKey: '2000000000000001',
      transactionId: '2000000000000002',
      storeProductId: 'pro_monthly',
      environment: 'PRODUCTION',
    })
  })

  test('holds the same observations as the effect', () => {
    const told = observed({})
    expect(told.transaction.observations).toEqual(told.observations)
  })
})

const CALM = { billingTrouble: 'NONE', gracePeriodExpiresAt: null, pausedAt: null } as const
const RETRY = { billingTrouble: 'RETRY', gracePeriodExpiresAt: null } as const
const GRACE = { billingTrouble: 'GRACE', gracePeriodExpiresAt: NOW + 10 * DAY } as const
const inGrace = { isInBillingRetryPeriod: true, gracePeriodExpiresDate: NOW + 10 * DAY }

describe('the renewal part', () => {
  const plain: RenewalPart = { ...CALM, autoRenews: true, pendingStoreProductId: null, priceConsent: null }

  test('is a report of its own, named by the notification', () => {
    expect(onward({})).toEqual({ kind: 'REPORT', id: `renewal:${ID}`, eventAt: NOW + 5, renewal: plain })
  })

  test('is never told before its transaction', () => {
    expect(onward({ transaction: { signedDate: NOW + 900 } })?.eventAt).toBe(NOW + 900)
  })

  const table: [name: string, story: Story, part: RenewalPart][] = [
    ['SUBSCRIBED INITIAL_BUY', {}, plain],
    ['SUBSCRIBED RESUBSCRIBE', { renewal: { isInBillingRetryPeriod: true } }, plain],
    ['SUBSCRIBED RESUBSCRIBE', { renewal: null }, { ...CALM, autoRenews: true }],
    ['SUBSCRIBED INITIAL_BUY', { renewal: { autoRenewStatus: 0 } }, { ...CALM, autoRenews: false }],
    ['DID_RENEW', {}, plain],
    ['DID_RENEW BILLING_RECOVERY', { renewal: inGrace }, CALM],
    ['DID_RENEW BILLING_RECOVERY', { renewal: null }, { ...CALM, autoRenews: true }],
    ['DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED', { renewal: { autoRenewStatus: 0 } }, { autoRenews: false }],
    ['DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED', { renewal: null }, { autoRenews: false }],
    ['DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED', { renewal: inGrace }, { autoRenews: false, ...GRACE }],
    ['DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED', { renewal: null }, { autoRenews: true }],
    ['DID_CHANGE_RENEWAL_STATUS LATER', { renewal: { autoRenewStatus: 0 } }, { autoRenews: false }],
    ['DID_CHANGE_RENEWAL_PREF UPGRADE', { renewal: null }, { pendingStoreProductId: null }],
    [
      'DID_CHANGE_RENEWAL_PREF DOWNGRADE',
      { renewal: { autoRenewProductId: 'pro_weekly' } },
      { pendingStoreProductId: 'pro_weekly' },
    ],
    ['DID_CHANGE_RENEWAL_PREF', {}, { pendingStoreProductId: null }],
    ['DID_CHANGE_RENEWAL_PREF', { renewal: null }, { pendingStoreProductId: null }],
    ['DID_FAIL_TO_RENEW GRACE_PERIOD', { renewal: inGrace }, GRACE],
    [
      'DID_FAIL_TO_RENEW GRACE_PERIOD',
      { renewal: { ...inGrace, isInBillingRetryPeriod: false } },
      { ...GRACE, autoRenews: true },
    ],
    ['DID_FAIL_TO_RENEW', { renewal: { isInBillingRetryPeriod: true } }, RETRY],
    ['DID_FAIL_TO_RENEW', { renewal: null }, RETRY],
    ['GRACE_PERIOD_EXPIRED', { renewal: inGrace }, RETRY],
    ['GRACE_PERIOD_EXPIRED', { renewal: null }, RETRY],
    ['EXPIRED VOLUNTARY', { renewal: { autoRenewStatus: 0 } }, { ...CALM, autoRenews: false }],
    ['EXPIRED BILLING_RETRY', { renewal: { isInBillingRetryPeriod: true } }, CALM],
    ['EXPIRED', { renewal: null }, CALM],
    ['OFFER_REDEEMED INITIAL_BUY', {}, plain],
    ['OFFER_REDEEMED RESUBSCRIBE', { renewal: null }, { ...CALM, autoRenews: true }],
    ['OFFER_REDEEMED UPGRADE', { renewal: null }, { pendingStoreProductId: null }],
    [
      'OFFER_REDEEMED DOWNGRADE',
      { renewal: { autoRenewProductId: 'pro_weekly' } },
      { pendingStoreProductId: 'pro_weekly' },
    ],
    ['OFFER_REDEEMED', { renewal: inGrace }, GRACE],
    ['PRICE_INCREASE PENDING', { renewal: null }, { priceConsent: 'PENDING' }],
    ['PRICE_INCREASE PENDING', { renewal: { priceIncreaseStatus: 0 } }, { priceConsent: 'PENDING' }],
    ['PRICE_INCREASE ACCEPTED', { renewal: { priceIncreaseStatus: 0 } }, { priceConsent: 'ACCEPTED' }],
    ['PRICE_INCREASE LATER', { renewal: { priceIncreaseStatus: 1 } }, { priceConsent: 'ACCEPTED' }],
    ['REFUND', { renewal: { autoRenewStatus: 0 } }, { autoRenews: false }],
    ['REVOKE', { renewal: { autoRenewStatus: 0 } }, { autoRenews: false }],
    ['REFUND_REVERSED', {}, plain],
  ]
  for (const [name, story, part] of table)
    test(`of ${name}${story.renewal === null ? ' without renewal information' : ''}: ${JSON.stringify(part)}`, () => {
      const [type = '', subtype = null] = name.split(' ')
      expect(onward({ ...story, type, subtype })?.renewal).toMatchObject(part)
    })

  const silent: [name: string, subtype: string | null][] = [
    ['ONE_TIME_CHARGE', null],
    ['REFUND', null],
    ['REFUND_REVERSED', null],
    ['REVOKE', null],
    ['OFFER_REDEEMED', null],
    ['OFFER_REDEEMED', 'DOWNGRADE'],
    ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'],
    ['DID_CHANGE_RENEWAL_PREF', 'SIDEGRADE'],
    ['DID_CHANGE_RENEWAL_STATUS', 'LATER'],
    ['PRICE_INCREASE', 'LATER'],
  ]
  for (const [type, subtype] of silent)
    test(`of ${type} ${subtype ?? ''} without renewal information is not there`, () => {
      expect(onward({ type, subtype, renewal: null })).toBeUndefined()
    })
})

describe('ends', () => {
  const reasons: [subtype: string | null, info: Payload | null, reason: string][] = [
    ['VOLUNTARY', {}, 'UNSUBSCRIBED'],
    ['BILLING_RETRY', {}, 'BILLING_ERROR'],
    ['PRICE_INCREASE', {}, 'PRICE_INCREASE'],
    ['PRODUCT_NOT_FOR_SALE', {}, 'PRODUCT_UNAVAILABLE'],
    ['VOLUNTARY', { expirationIntent: 2 }, 'UNSUBSCRIBED'],
    [null, { expirationIntent: 4 }, 'PRODUCT_UNAVAILABLE'],
    ['LATER', { expirationIntent: 3 }, 'PRICE_INCREASE'],
    ['LATER', {}, 'UNKNOWN'],
    [null, null, 'UNKNOWN'],
  ]
  for (const [subtype, info, reason] of reasons)
    test(`EXPIRED ${subtype} with ${JSON.stringify(info)} ended for ${reason}`, () => {
      const told = onward({ type: 'EXPIRED', subtype, renewal: info, transaction: { expiresDate: NOW - DAY } })
      expect(told?.ended).toEqual({ at: NOW - DAY, reason } as NonNullable<Report['ended']>)
    })

  test('EXPIRED names the transaction that ended, for another may be current by then', () => {
    expect(onward({ type: 'EXPIRED' })?.transaction?.transactionId).toBe('2000000000000002')
    expect(onward({ type: 'DID_FAIL_TO_RENEW' })).not.toHaveProperty('transaction')
  })

  test('EXPIRED told before the date of the end ended it when it was told', () => {
    expect(onward({ type: 'EXPIRED' })?.ended?.at).toBe(NOW + 5)
  })

  test('RENEWAL_EXTENDED moves the end to the later of both dates', () => {
    const story = { type: 'RENEWAL_EXTENDED', renewal: { renewalDate: NOW + 40 * DAY } }
    expect(onward(story)?.extendedTo).toBe(NOW + 40 * DAY)
    expect(onward({ ...story, transaction: { expiresDate: NOW + 50 * DAY } })?.extendedTo).toBe(NOW + 50 * DAY)
    expect(onward({ ...story, renewal: null })?.extendedTo).toBe(NOW + 29 * DAY)
  })

  test('nothing else ends or extends', () => {
    for (const type of ['SUBSCRIBED', 'DID_FAIL_TO_RENEW', 'GRACE_PERIOD_EXPIRED', 'REFUND', 'REVOKE']) {
      expect(onward({ type })).not.toHaveProperty('ended')
      expect(onward({ type })).not.toHaveProperty('extendedTo')
    }
  })
})

describe('markers', () => {
  const REVOKED = NOW - 3 * DAY
  const refund = { revocationDate: REVOKED, revocationReason: 0 }

  test('a refund is the very marker that a receipt gives', () => {
    const receipt = decodeTransaction({ ...transaction, ...refund })
    const [, marker] = receipt.ok ? receipt.transaction.observations : []
    expect(markers({ type: 'REFUND', transaction: refund })).toEqual([marker as Marker])
    expect(marker?.id).toBe(`refund:2000000000000002@${REVOKED}`)
  })

  test('a refund is told by any type whose transaction carries it, once', () => {
    for (const type of ['REFUND', 'DID_CHANGE_RENEWAL_STATUS', 'EXPIRED'])
      expect(markers({ type, transaction: refund })).toHaveLength(1)
  })

  test('a refund without a date is dated by its notification', () => {
    const id = `refund:2000000000000002@${NOW + 5}`
    expect(markers({ type: 'REFUND' })).toEqual([
      { kind: 'REFUND', id, eventAt: NOW + 5, transactionId: '2000000000000002', amount: null },
    ])
  })

  const partial: [name: string, terms: Payload, amount: number | null][] = [
    ['half of the price', { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 }, 4_995_000],
    ['all of the price', { revocationType: 'REFUND_FULL', revocationPercentage: 100_000 }, null],
    ['all of the price, with no percentage', { revocationType: 'REFUND_FULL' }, null],
    ['a part of an unknown price', { revocationPercentage: 50_000, price: undefined }, null],
  ]
  for (const [name, terms, amountMicros] of partial)
    test(`a refund of ${name}`, () => {
      const amount = amountMicros === null ? null : { amountMicros, currency: 'USD' }
      expect(markers({ type: 'REFUND', transaction: { ...refund, ...terms } })).toMatchObject([{ amount }])
    })

  test('a family share taken back is a revocation of that date', () => {
    const shared = { inAppOwnershipType: 'FAMILY_SHARED', ...refund, revocationType: 'FAMILY_REVOKE' }
    const id = `revocation:2000000000000002@${REVOKED}`
    expect(markers({ type: 'REVOKE', transaction: { ...shared, revocationPercentage: 50_000 } })).toEqual([
      { kind: 'REVOCATION', id, eventAt: REVOKED, transactionId: '2000000000000002', amount: null },
    ])
  })

  test('a share taken back from its buyer is a revocation besides the refund that its receipts tell', () => {
    const kinds = markers({ type: 'REVOKE', transaction: refund }).map(({ kind, eventAt }) => [kind, eventAt])
    expect(kinds).toEqual([
      ['REFUND', REVOKED],
      ['REVOCATION', REVOKED],
    ])
  })

  test('a reversal counts from its notification', () => {
    const id = `reversal:2000000000000002@${NOW + 5}`
    expect(markers({ type: 'REFUND_REVERSED' })).toEqual([
      { kind: 'REVERSAL', id, eventAt: NOW + 5, transactionId: '2000000000000002', amount: null },
    ])
  })

  test('a reversal that still names the refund is called by it', () => {
    const [, reversal] = markers({ type: 'REFUND_REVERSED', transaction: refund })
    expect(reversal).toMatchObject({ id: `reversal:2000000000000002@${REVOKED}`, eventAt: NOW + 5 })
  })

  test('what changes no money has no marker', () => {
    for (const type of ['SUBSCRIBED', 'DID_RENEW', 'EXPIRED', 'ONE_TIME_CHARGE']) expect(markers({ type })).toEqual([])
  })
})

describe('the effect', () => {
  test('of a refund, its reversal and its refusal is also the answer to a request', () => {
    expect(observed({ type: 'REFUND' }).refundOutcome).toBe('REFUND_APPROVED')
    expect(observed({ type: 'REFUND_REVERSED' }).refundOutcome).toBe('REFUND_REVERSED')
    expect(observed({ type: 'REVOKE' }).refundOutcome).toBeNull()
    expect(effect({ type: 'REFUND_DECLINED' })).toMatchObject({
      kind: 'REFUND_OUTCOME',
      outcome: 'REFUND_DECLINED',
      transaction: { transactionId: '2000000000000002' },
    })
  })

  test('of a consumption request names the transaction and the reason', () => {
    const story = { type: 'CONSUMPTION_REQUEST', data: { consumptionRequestReason: 'LEGAL' } }
    expect(effect(story)).toMatchObject({
      kind: 'CONSUMPTION_REQUEST',
      requestReason: 'LEGAL',
      transaction: { transactionId: '2000000000000002' },
    })
    expect(effect({ type: 'CONSUMPTION_REQUEST' })).toMatchObject({ requestReason: null })
  })

  test('of a test is that it came', () => {
    expect(effect({ type: 'TEST', transaction: null, renewal: null })).toEqual({ kind: 'TEST' })
  })

  const ignored: [type: string, reason: string][] = [
    ['EXTERNAL_PURCHASE_TOKEN', 'NO_PURCHASE'],
    ['RESCIND_CONSENT', 'NO_PURCHASE'],
    ['RENEWAL_EXTENSION', 'NO_CHANGE'],
    ['METADATA_UPDATE', 'NO_CHANGE'],
    ['MIGRATION', 'NO_CHANGE'],
    ['PRICE_CHANGE', 'UNKNOWN_TYPE'],
    ['refund', 'UNKNOWN_TYPE'],
    ['toString', 'UNKNOWN_TYPE'],
    ['__proto__', 'UNKNOWN_TYPE'],
  ]
  for (const [type, reason] of ignored)
    test(`of ${type} is nothing (${reason}), whatever lies in it`, () => {
      const result = decodeNotification(outerOf({ type }), { transaction: 'odd', renewal: { odd: true } })
      expect(result).toMatchObject({ ok: true, notification: { effect: { kind: 'IGNORED', reason } } })
    })

  test('of a subtype that the prototype of objects knows is as of no subtype', () => {
    for (const subtype of ['toString', '__proto__', 'constructor'])
      expect(onward({ type: 'EXPIRED', subtype, renewal: null })?.ended?.reason).toBe('UNKNOWN')
  })
})

describe('refusals', () => {
  const TX = 'data.signedTransactionInfo'
  const RENEWAL = 'data.signedRenewalInfo'
  const cases: [name: string, story: Story, reason: string, detail: string][] = [
    ['no transaction', { transaction: null }, 'malformed', TX],
    ['a transaction of another app', { transaction: { bundleId: 'com.example.other' } }, 'bundle', TX],
    ['another case of the bundle', { transaction: { bundleId: 'com.example.App' } }, 'bundle', TX],
    ['a transaction of the sandbox', { transaction: { environment: 'Sandbox' } }, 'environment', TX],
    ['a renewal of the sandbox', { renewal: { environment: 'Sandbox' } }, 'environment', RENEWAL],
    ['a sandbox notification with parts of Production', { data: { environment: 'Sandbox' } }, 'environment', TX],
    [
      'an Xcode notification with a transaction of the sandbox',
      { data: { environment: 'Xcode' }, transaction: { environment: 'Sandbox' } },
      'environment',
      TX,
    ],
    ['a transaction of no environment', { transaction: { environment: undefined } }, 'malformed', `${TX}.environment`],
    ['a renewal of no environment', { renewal: { environment: undefined } }, 'malformed', `${RENEWAL}.environment`],
    ['a transaction without an id', { transaction: { transactionId: undefined } }, 'malformed', `${TX}.transactionId`],
    ['a subscription without an end', { transaction: { expiresDate: undefined } }, 'malformed', `${TX}.expiresDate`],
    [
      'a renewal of another chain',
      { renewal: { originalTransactionId: '2000000000000009' } },
      'malformed',
      `${RENEWAL}.originalTransactionId`,
    ],
    ['a renewal status as text', { renewal: { autoRenewStatus: '1' } }, 'malformed', `${RENEWAL}.autoRenewStatus`],
    [
      'a percentage as text',
      { transaction: { revocationPercentage: '50000' } },
      'malformed',
      `${TX}.revocationPercentage`,
    ],
    ['no type', { outer: { notificationType: undefined } }, 'malformed', 'notificationType'],
    ['an empty type', { outer: { notificationType: '' } }, 'malformed', 'notificationType'],
    ['a type as number', { outer: { notificationType: 7 } }, 'malformed', 'notificationType'],
    ['a subtype as number', { outer: { subtype: 7 } }, 'malformed', 'subtype'],
    ['no id', { outer: { notificationUUID: undefined } }, 'malformed', 'notificationUUID'],
    ['an id as number', { outer: { notificationUUID: 7 } }, 'malformed', 'notificationUUID'],
    ['an id too long', { outer: { notificationUUID: 'x'.repeat(257) } }, 'malformed', 'notificationUUID'],
    ['a version as number', { outer: { version: 2 } }, 'malformed', 'version'],
    ['no signing date', { outer: { signedDate: undefined } }, 'malformed', 'signedDate'],
    ['a signing date past the year 9999', { outer: { signedDate: MAX_INSTANT + 1 } }, 'malformed', 'signedDate'],
    ['no data', { outer: { data: undefined } }, 'malformed', 'data'],
    ['data as text', { outer: { data: 'data' } }, 'malformed', 'data'],
    ['no bundle', { data: { bundleId: undefined } }, 'malformed', 'data.bundleId'],
    ['a bundle as number', { data: { bundleId: 7 } }, 'malformed', 'data.bundleId'],
    ['an app id as text', { data: { appAppleId: '1234567890' } }, 'malformed', 'data.appAppleId'],
    ['no environment', { data: { environment: undefined } }, 'malformed', 'data.environment'],
    ['an unknown environment', { data: { environment: 'Staging' } }, 'malformed', 'data.environment'],
    ['a signed transaction as object', { data: { signedTransactionInfo: {} } }, 'malformed', TX],
    ['a signed renewal as number', { data: { signedRenewalInfo: 7 } }, 'malformed', RENEWAL],
    ['a status as text', { data: { status: '1' } }, 'malformed', 'data.status'],
    ['a reason as number', { data: { consumptionRequestReason: 1 } }, 'malformed', 'data.consumptionRequestReason'],
    ['a summary as text', { outer: { summary: 'x' } }, 'malformed', 'summary'],
    ['a token as list', { outer: { externalPurchaseToken: [] } }, 'malformed', 'externalPurchaseToken'],
  ]
  for (const [name, story, reason, detail] of cases)
    test(`${name}: ${reason} at ${detail}`, () => {
      expect(decode(story)).toEqual({ ok: false, reason, detail } as ReturnType<typeof decode>)
    })

  test('what is no object is malformed as a whole', () => {
    for (const payload of [null, undefined, 7, 'text', []])
      expect(decodeNotification(payload, { transaction, renewal })).toMatchObject({ ok: false, reason: 'malformed' })
  })

  test('unknown members are tolerated everywhere', () => {
    const more = { moonPhase: 'FULL', nested: { deep: [1] } }
    expect(decode({ outer: more, data: more, transaction: more, renewal: more }).ok).toBe(true)
  })
})

test('any value in place of any member throws nothing, and gives sound observations', () => {
  const member = (payload: Payload) => fc.constantFrom(...Object.keys(payload))
  const types = fc.constantFrom('SUBSCRIBED', 'EXPIRED', 'REFUND', 'REFUND_REVERSED', 'RENEWAL_EXTENDED', 'TEST', 'X')
  const property = fc.property(
    types,
    fc.record({
      outer: member(outerOf({})),
      data: member(data),
      transaction: member(transaction),
      renewal: member(renewal),
    }),
    fc.constantFrom('outer', 'data', 'transaction', 'renewal'),
    fc.anything(),
    (type, names, place, value) => {
      const result = decode({ type, [place]: { [names[place as keyof typeof names]]: value } })
      const told = result.ok ? result.notification.effect : null
      for (const { id, eventAt } of told?.kind === 'OBSERVATIONS' ? told.observations : []) {
        expect(id.length).toBeLessThan(600)
        expect(new Date(eventAt).toISOString()).toHaveLength(24)
      }
    },
  )
  fc.assert(property, { seed: SEED, numRuns: 3000 })
})
