import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../base/lib/time'
import type { Marker } from '../observation'
import { type DecodedTransaction, decodeTransaction, type TransactionPayload } from './decode'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120

const purchase: TransactionPayload = {
  transactionId: '2000000000000002',
  originalTransactionId: '2000000000000001',
  webOrderLineItemId: '2000000000000009',
  bundleId: 'com.example.app',
  productId: 'pro_monthly',
  subscriptionGroupIdentifier: '21000000',
  purchaseDate: NOW - DAY,
  originalPurchaseDate: NOW - 31 * DAY,
  expiresDate: NOW + 29 * DAY,
  quantity: 1,
  type: 'Auto-Renewable Subscription',
  appAccountToken: '7E3FB20B-4CDB-47CC-936D-99D65F608138',
  inAppOwnershipType: 'PURCHASED',
  signedDate: NOW,
  environment: 'Production',
  transactionReason: 'RENEWAL',
  storefront: 'USA',
  storefrontId: '143441',
  price: 9990,
  currency: 'USD',
}

type Changes = Partial<Record<keyof TransactionPayload | 'revocationType' | 'revocationPercentage', unknown>>

/** The purchase with some members changed; `undefined` removes a member. */
const withChanges = (changes: Changes): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...purchase, ...changes }).filter(([, value]) => value !== undefined))

function decode(changes: Changes = {}): DecodedTransaction {
  const result = decodeTransaction(withChanges(changes))
  if (!result.ok) throw new Error(`refused for ${result.field}`)
  return result.transaction
}

function report(changes: Changes = {}) {
  const [first] = decode(changes).observations
  if (first?.kind !== 'REPORT' || !first.transaction) throw new Error('the first observation reports a transaction')
  return { ...first, transaction: first.transaction }
}

test('a renewal is one report at its signing time, without a renewal part', () => {
  expect(decode()).toEqual({
    bundleId: 'com.example.app',
    storeProductId: 'pro_monthly',
    environment: 'PRODUCTION',
    chainKey: '2000000000000001',
    isSubscription: true,
    isNonRenewing: false,
    isLocal: false,
    transactionId: '2000000000000002',
    originalTransactionId: '2000000000000001',
    appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
    ownershipType: 'PURCHASED',
    signedAt: NOW,
    observations: [
      {
        kind: 'REPORT',
        id: `2000000000000002@${NOW}`,
        eventAt: NOW,
        transaction: {
          transactionId: '2000000000000002',
          sale: 'item:2000000000000009',
          isRevoked: false,
          storeProductId: 'pro_monthly',
          purchaseDate: NOW - DAY,
          originalPurchaseDate: NOW - 31 * DAY,
          expiresAt: NOW + 29 * DAY,
          isTrial: false,
          isIntroOffer: false,
          offerId: null,
          price: { amountMicros: 9_990_000, currency: 'USD' },
          quantity: 1,
          ownershipType: 'PURCHASED',
          country: 'US',
          reason: 'RENEWAL',
        },
      },
    ],
  })
})

const [OWN, ORIGINAL] = ['2000000000000002', '2000000000000001']
const FIRST = { purchaseDate: NOW - 31 * DAY }
const keys: [name: string, changes: Changes, key: string][] = [
  ['an auto-renewable subscription', {}, ORIGINAL],
  ['a consumable', { type: 'Consumable', expiresDate: undefined }, OWN],
  ['a non-consumable', { type: 'Non-Consumable', expiresDate: undefined }, ORIGINAL],
  ['a non-renewing subscription', { type: 'Non-Renewing Subscription', ...FIRST }, ORIGINAL],
  ['a later one', { type: 'Non-Renewing Subscription' }, `${ORIGINAL}@${NOW - DAY}`],
  ['a family share', { inAppOwnershipType: 'FAMILY_SHARED', type: 'Consumable', expiresDate: undefined }, ORIGINAL],
  ['an unknown type that ends', { type: 'Seat Subscription' }, ORIGINAL],
  ['an unknown type without end', { type: 'Keepsake', expiresDate: undefined }, OWN],
]
for (const [name, changes, key] of keys)
  test(`${name} has the key ${key}`, () => {
    expect(decode(changes).chainKey).toBe(key)
  })

const sales: [name: string, changes: Changes, sale: string | undefined][] = [
  ['a period, by its line item', {}, 'item:2000000000000009'],
  ['no period without a line item', { webOrderLineItemId: undefined }, undefined],
  ['no period with the line item 0', { webOrderLineItemId: '0' }, undefined],
  ['a non-consumable, by its first transaction', { type: 'Non-Consumable', expiresDate: undefined }, ORIGINAL],
  ['a non-renewing subscription', { type: 'Non-Renewing Subscription' }, ORIGINAL],
  ['no consumable', { type: 'Consumable', expiresDate: undefined }, undefined],
  ['nothing of Xcode', { environment: 'Xcode' }, undefined],
]
for (const [name, changes, sale] of sales)
  test(`copies have in common: ${name}`, () => {
    expect(report(changes).transaction.sale).toBe(sale as string)
  })

test('Xcode numbers every transaction 0, so its keys contain dates', () => {
  const local = { environment: 'Xcode', transactionId: '0', originalTransactionId: '0' }
  expect(decode(local)).toMatchObject({ chainKey: `0@${NOW - 31 * DAY}`, isLocal: true })
  expect(decode({ ...local, type: 'Consumable', expiresDate: undefined }).chainKey).toBe(`0@${NOW - DAY}`)
  expect(report(local).transaction.transactionId).toBe(`0@${NOW - DAY}`)
})

test('a non-renewing subscription says itself that it never renews', () => {
  const changes = { type: 'Non-Renewing Subscription', expiresDate: undefined }
  expect(decode(changes)).toMatchObject({ isNonRenewing: true, isSubscription: false })
  expect(report(changes).transaction).toMatchObject({ isNonRenewing: true, expiresAt: null })
})

test('the account token of zeros is no token', () => {
  expect(decode({ appAccountToken: '00000000-0000-0000-0000-000000000000' }).appAccountToken).toBeNull()
})

test('a refund of a part ends the access and returns the part', () => {
  const changes = { revocationDate: NOW - 1, revocationType: 'REFUND_PRORATED', revocationPercentage: 83_000 }
  expect(decode(changes).observations[1]).toMatchObject({
    amount: { amountMicros: 8_291_700, currency: 'USD' },
    share: 83_000,
    endsAccess: true,
  })
})

const periods: [name: string, changes: Changes, period: string | undefined][] = [
  ['what the catalogue says', {}, undefined],
  ['the period of the offer', { offerType: 1, offerPeriod: 'P3M' }, 'P3M'],
  ['a month of a plan of months', { billingPlanType: 'MONTHLY' }, 'P1M'],
  ['the offer in such a plan', { billingPlanType: 'MONTHLY', offerPeriod: 'P2W' }, 'P2W'],
  ['what the catalogue says, in another plan', { billingPlanType: 'BILLED_UPFRONT' }, undefined],
  ['what the catalogue says, where the offer has a period of another form', { offerPeriod: 'PT1H' }, undefined],
]
for (const [name, changes, period] of periods)
  test(`the price pays for ${name}`, () => {
    expect(report(changes).transaction.period).toBe(period as string)
  })

test('a one-time product never ends', () => {
  expect(report({ type: 'Non-Consumable', expiresDate: undefined }).transaction.expiresAt).toBeNull()
})

test('everything but Production is sandbox', () => {
  for (const environment of ['Sandbox', 'Xcode', 'LocalTesting'])
    expect(decode({ environment }).environment).toBe('SANDBOX')
})

test('a refund is one marker of its own date, however late and often it is told', () => {
  const changes = { revocationDate: NOW - 1, revocationReason: 1 }
  const id = `refund:2000000000000002@${NOW - 1}`
  const marker: Marker = { kind: 'REFUND', id, eventAt: NOW - 1, transactionId: '2000000000000002', amount: null }
  expect(decode(changes).observations).toEqual([
    { ...report(), transaction: { ...report().transaction, isRevoked: true } },
    marker,
  ])
  expect(decode({ ...changes, signedDate: NOW + DAY }).observations[1]).toEqual(marker)
})

test('a second refund after a reversal is another marker', () => {
  const [first, second] = [NOW - 2, NOW - 1].map((revocationDate) => decode({ revocationDate }).observations[1]?.id)
  expect(first).not.toBe(second)
})

test('a family member who loses the share sees a revocation', () => {
  const changes = { inAppOwnershipType: 'FAMILY_SHARED', revocationDate: NOW - 1 }
  expect(decode(changes).observations[1]).toMatchObject({
    kind: 'REVOCATION',
    id: `revocation:2000000000000002@${NOW - 1}`,
  })
})

test('a family member was charged nothing, so no price is told', () => {
  expect(report({ inAppOwnershipType: 'FAMILY_SHARED' }).transaction).toMatchObject({
    ownershipType: 'FAMILY_SHARED',
    price: null,
  })
})

const offers: [name: string, changes: Changes, isTrial: boolean, isIntroOffer: boolean][] = [
  ['no offer', {}, false, false],
  ['a free trial', { offerType: 1, offerDiscountType: 'FREE_TRIAL', price: 0 }, true, true],
  ['a free promotional offer', { offerType: 2, offerDiscountType: 'FREE_TRIAL' }, true, false],
  ['an introductory offer at price 0', { offerType: 1, price: 0 }, true, true],
  ['a paid introductory offer', { offerType: 1, offerDiscountType: 'PAY_UP_FRONT', price: 1990 }, false, true],
  ['an introductory offer of unknown price', { offerType: 1, price: undefined }, false, true],
  ['an offer code at price 0', { offerType: 3, price: 0 }, false, false],
  ['an unknown offer', { offerType: 77, offerDiscountType: 'BARTER' }, false, false],
]
for (const [name, changes, isTrial, isIntroOffer] of offers)
  test(`${name}: trial ${isTrial}, introductory ${isIntroOffer}`, () => {
    expect(report(changes).transaction).toMatchObject({ isTrial, isIntroOffer })
  })

test('the offer identifier is kept', () => {
  expect(report({ offerIdentifier: 'spring' }).transaction.offerId).toBe('spring')
})

const upgrades: [name: string, changes: Changes, at: number][] = [
  ['when it was signed', { isUpgraded: true }, NOW],
  ['at its own end when that was earlier', { isUpgraded: true, expiresDate: NOW - 1 }, NOW - 1],
]
for (const [name, changes, at] of upgrades)
  test(`an upgraded transaction was replaced ${name}`, () => {
    expect(report(changes).ended).toEqual({ at, reason: 'REPLACED' })
  })

test('a transaction not upgraded has not ended', () => {
  expect(report({ isUpgraded: false })).not.toHaveProperty('ended')
})

test('what an old device leaves out is not invented', () => {
  const old = { price: undefined, currency: undefined, transactionReason: undefined, appAccountToken: undefined }
  expect(report({ ...old, quantity: undefined }).transaction).toMatchObject({
    price: null,
    reason: 'PURCHASE',
    quantity: 1,
  })
  expect(decode(old).appAccountToken).toBeNull()
})

test('an account token that is no UUID is no token', () => {
  for (const appAccountToken of ['', 'ada', '7e3fb20b4cdb47cc936d99d65f608138', `${purchase.appAccountToken}0`])
    expect(decode({ appAccountToken }).appAccountToken).toBeNull()
})

test('unknown members and values are tolerated', () => {
  const payload = { ...purchase, multiSeatInfo: { seats: 3 }, inAppOwnershipType: 'LENT', transactionReason: 'GIFT' }
  expect(decodeTransaction(payload).ok).toBe(true)
})

test('a purchase dated after its signature is kept: it is prepaid', () => {
  expect(report({ purchaseDate: NOW + 40 * DAY }).transaction.purchaseDate).toBe(NOW + 40 * DAY)
})

const REQUIRED = [
  'transactionId',
  'originalTransactionId',
  'bundleId',
  'productId',
  'type',
  'environment',
  'purchaseDate',
  'originalPurchaseDate',
  'signedDate',
  'expiresDate',
] as const

for (const field of REQUIRED)
  test(`a subscription without ${field} is malformed`, () => {
    expect(decodeTransaction(withChanges({ [field]: undefined }))).toEqual({ ok: false, reason: 'malformed', field })
  })

const wrong: [field: keyof TransactionPayload, values: unknown[]][] = [
  ['transactionId', ['', 2000000000000002, null, 'x'.repeat(257), 'a\u0000b']],
  ['environment', ['production', 'Staging', 1]],
  ['purchaseDate', ['2026-11-20T08:00:00.000Z', String(NOW), Number.NaN, -1, 0.5, MAX_INSTANT + 1, null, Infinity]],
  ['originalPurchaseDate', [-1, MAX_INSTANT + 1]],
  ['signedDate', [-1, MAX_INSTANT + 1, '0']],
  ['expiresDate', [null, 'never', -1, MAX_INSTANT + 1]],
  ['revocationDate', [null, true, -1, MAX_INSTANT + 1]],
  ['quantity', [0, -1, 1.5, 1_000_001, '1', null]],
  ['price', [-1, 0.5, '9990', 9_007_199_254_741, Number.MAX_SAFE_INTEGER, Number.NaN]],
  ['currency', ['', 'usd', 'US', 'EURO', 840]],
  ['isUpgraded', ['true', 1, null]],
  ['offerType', ['1', 1.5, null]],
  ['offerDiscountType', [1, null]],
  ['appAccountToken', [7, null]],
  ['inAppOwnershipType', [1, null]],
]
for (const [field, values] of wrong)
  for (const value of values)
    test(`${field} ${JSON.stringify(value)?.slice(0, 40)} (${typeof value}) is malformed`, () => {
      expect(decodeTransaction(withChanges({ [field]: value }))).toEqual({ ok: false, reason: 'malformed', field })
    })

test('the largest price in thousandths is still exact in micros', () => {
  expect(report({ price: 9_007_199_254_740 }).transaction.price?.amountMicros).toBe(9_007_199_254_740_000)
  expect(report({ quantity: 1_000_000 }).transaction.quantity).toBe(1_000_000)
})

test('what is no object is malformed as a whole', () => {
  for (const payload of [null, undefined, 7, 'text', [purchase], []])
    expect(decodeTransaction(payload)).toMatchObject({ ok: false, reason: 'malformed' })
})

test('any value in place of any member throws nothing, and what is accepted stays in range', () => {
  const members = fc.constantFrom(...(Object.keys(purchase) as (keyof TransactionPayload)[]))
  const property = fc.property(members, fc.anything(), (member, value) => {
    const result = decodeTransaction({ ...purchase, [member]: value })
    const [first] = result.ok ? result.transaction.observations : []
    if (first?.kind !== 'REPORT') return
    expect(Number.isSafeInteger(first.transaction?.price?.amountMicros ?? 0)).toBe(true)
    expect(new Date(first.transaction?.expiresAt ?? 0).toISOString()).toHaveLength(24)
  })
  fc.assert(property, { seed: SEED, numRuns: 2000 })
})
