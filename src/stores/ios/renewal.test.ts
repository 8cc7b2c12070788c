import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../base/lib/time'
import type { ExpiryReason, RenewalPart } from '../observation'
import { type DecodedRenewal, decodeRenewal, type RenewalPayload, toRenewalPart } from './renewal'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120

const info: RenewalPayload = {
  originalTransactionId: '2000000000000001',
  autoRenewProductId: 'pro_monthly',
  productId: 'pro_monthly',
  autoRenewStatus: 1,
  isInBillingRetryPeriod: false,
  signedDate: NOW,
  environment: 'Sandbox',
  recentSubscriptionStartDate: NOW - 31 * DAY,
  renewalDate: NOW + 29 * DAY,
}

const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })
const FULL = { storeProductId: 'pro_monthly', price: usd(9_990_000) }

type Changes = Partial<Record<keyof RenewalPayload, unknown>>

/** The renewal information with some members changed; `undefined` removes a member. */
const withChanges = (changes: Changes): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...info, ...changes }).filter(([, value]) => value !== undefined))

function decode(changes: Changes = {}): DecodedRenewal {
  const result = decodeRenewal(withChanges(changes))
  if (!result.ok) throw new Error(`refused for ${result.field}`)
  return result.renewal
}

test('renewal information as the store signs it', () => {
  expect(decode()).toEqual({
    originalTransactionId: '2000000000000001',
    environment: 'SANDBOX',
    signedAt: NOW,
    storeProductId: 'pro_monthly',
    nextStoreProductId: 'pro_monthly',
    autoRenews: true,
    isInBillingRetry: false,
    gracePeriodExpiresAt: null,
    priceConsent: null,
    expiryReason: null,
    offerId: null,
    isIntroOffer: false,
    price: null,
    renewsAt: NOW + 29 * DAY,
  })
})

test('the least that the store may say', () => {
  const { originalTransactionId, autoRenewStatus, signedDate, environment } = info
  const least = { originalTransactionId, autoRenewStatus, signedDate, environment }
  const result = decodeRenewal(least)
  expect(result).toMatchObject({ ok: true, renewal: { storeProductId: null, isInBillingRetry: null, renewsAt: null } })
  expect(result.ok && toRenewalPart(result.renewal, NOW)).toEqual({
    autoRenews: true,
    priceConsent: null,
    pausedAt: null,
  })
})

test('only Production is production', () => {
  const environments = ['Production', 'Sandbox', 'Xcode', 'LocalTesting'].map((environment) => decode({ environment }))
  expect(environments.map(({ environment }) => environment)).toEqual(['PRODUCTION', 'SANDBOX', 'SANDBOX', 'SANDBOX'])
})

const reasons: [intent: number | undefined, reason: ExpiryReason | null][] = [
  [undefined, null],
  [1, 'UNSUBSCRIBED'],
  [2, 'BILLING_ERROR'],
  [3, 'PRICE_INCREASE'],
  [4, 'PRODUCT_UNAVAILABLE'],
  [5, 'UNKNOWN'],
  [0, 'UNKNOWN'],
  [6, 'UNKNOWN'],
  [-1, 'UNKNOWN'],
]
for (const [expirationIntent, reason] of reasons)
  test(`expiration intent ${expirationIntent} is ${reason}`, () => {
    expect(decode({ expirationIntent }).expiryReason).toBe(reason)
  })

const parts: [name: string, changes: Changes, part: RenewalPart][] = [
  ['no trouble', {}, { billingTrouble: 'NONE', gracePeriodExpiresAt: null }],
  ['auto-renew off', { autoRenewStatus: 0 }, { autoRenews: false }],
  ['the same product next', {}, { pendingStoreProductId: null }],
  ['another product next', { autoRenewProductId: 'pro_yearly' }, { pendingStoreProductId: 'pro_yearly' }],
  ['a retry', { isInBillingRetryPeriod: true }, { billingTrouble: 'RETRY', gracePeriodExpiresAt: null }],
  [
    'a retry within the grace period',
    { isInBillingRetryPeriod: true, gracePeriodExpiresDate: NOW + DAY },
    { billingTrouble: 'GRACE', gracePeriodExpiresAt: NOW + DAY },
  ],
  [
    'a grace period without a retry, as the store was seen to tell it',
    { isInBillingRetryPeriod: false, gracePeriodExpiresDate: NOW + DAY },
    { billingTrouble: 'GRACE', gracePeriodExpiresAt: NOW + DAY },
  ],
  [
    'a grace period that ends at this very instant',
    { isInBillingRetryPeriod: true, gracePeriodExpiresDate: NOW },
    { billingTrouble: 'RETRY', gracePeriodExpiresAt: null },
  ],
  [
    'a grace period long over',
    { isInBillingRetryPeriod: false, gracePeriodExpiresDate: NOW - DAY },
    { billingTrouble: 'NONE', gracePeriodExpiresAt: null },
  ],
  ['a price increase not answered', { priceIncreaseStatus: 0 }, { priceConsent: 'PENDING' }],
  ['a price increase accepted', { priceIncreaseStatus: 1 }, { priceConsent: 'ACCEPTED' }],
  ['no price increase', {}, { priceConsent: null }],
]
for (const [name, changes, part] of parts)
  test(`${name}: ${Object.values(part).join(', ')}`, () => {
    expect(toRenewalPart(decode(changes), NOW)).toMatchObject(part)
  })

const nexts: [name: string, changes: Changes, next: NonNullable<RenewalPart['next']> | undefined][] = [
  ['full price', {}, { storeProductId: 'pro_monthly', price: usd(9_990_000), offer: null }],
  ['another product', { autoRenewProductId: 'w' }, { storeProductId: 'w', price: usd(9_990_000), offer: null }],
  ['an offer', { offerType: 2, offerIdentifier: 'half' }, { ...FULL, offer: 'half' }],
  ['the introductory offer', { offerType: 1 }, { ...FULL, offer: 'INTRO' }],
  ['no product', { autoRenewProductId: undefined }, undefined],
  ['no price', { renewalPrice: undefined }, undefined],
  ['no currency', { currency: undefined }, undefined],
]
for (const [name, changes, next] of nexts)
  test(`the next period: ${name}`, () => {
    const said = toRenewalPart(decode({ renewalPrice: 9990, currency: 'USD', ...changes }), NOW)
    expect(said.next).toEqual(next as typeof said.next)
  })

test('this store has no pause, and says so', () => {
  expect(toRenewalPart(decode(), NOW).pausedAt).toBeNull()
})

const unsaid: [name: string, changes: Changes, member: keyof RenewalPart][] = [
  ['an unknown renewal status', { autoRenewStatus: 7 }, 'autoRenews'],
  ['an unknown consent', { priceIncreaseStatus: 7 }, 'priceConsent'],
  ['no word of a retry', { isInBillingRetryPeriod: undefined }, 'billingTrouble'],
  ['no next product', { autoRenewProductId: undefined }, 'pendingStoreProductId'],
  ['no current product', { productId: undefined }, 'pendingStoreProductId'],
]
for (const [name, changes, member] of unsaid)
  test(`${name} says nothing of ${member}`, () => {
    expect(toRenewalPart(decode(changes), NOW)).not.toHaveProperty(member)
  })

test('unknown members and values are tolerated', () => {
  const payload = { ...info, offerType: 99, offerDiscountType: 'BARTER', commitmentInfo: { of: 12 } }
  expect(decodeRenewal(payload).ok).toBe(true)
})

for (const field of ['originalTransactionId', 'autoRenewStatus', 'signedDate', 'environment'] as const)
  test(`without ${field} it is malformed`, () => {
    expect(decodeRenewal(withChanges({ [field]: undefined }))).toEqual({ ok: false, reason: 'malformed', field })
  })

const wrong: [field: keyof RenewalPayload, values: unknown[]][] = [
  ['originalTransactionId', ['', 1, null, 'x'.repeat(257), 'a\u0000b']],
  ['environment', ['sandbox', '', 1]],
  ['autoRenewStatus', ['1', true, 0.5, null]],
  ['signedDate', [-1, MAX_INSTANT + 1, String(NOW), null]],
  ['productId', ['', 7, null]],
  ['autoRenewProductId', ['', 7, null]],
  ['expirationIntent', ['2', 1.5, null]],
  ['gracePeriodExpiresDate', [-1, MAX_INSTANT + 1, '0', null]],
  ['isInBillingRetryPeriod', ['true', 1, 0, null]],
  ['offerType', ['1', null]],
  ['offerIdentifier', [1, '', null]],
  ['offerDiscountType', [1, null]],
  ['priceIncreaseStatus', ['0', false, null]],
  ['recentSubscriptionStartDate', [-1, '0', null]],
  ['renewalDate', [-1, MAX_INSTANT + 1, '0', null]],
  ['renewalPrice', [-1, 0.5, '9990', null]],
  ['currency', ['usd', 840, null]],
  ['appAccountToken', [7, null]],
]
for (const [field, values] of wrong)
  for (const value of values)
    test(`${field} ${JSON.stringify(value)?.slice(0, 40)} (${typeof value}) is malformed`, () => {
      expect(decodeRenewal(withChanges({ [field]: value }))).toEqual({ ok: false, reason: 'malformed', field })
    })

test('what is no object is malformed as a whole', () => {
  for (const payload of [null, undefined, 7, 'text', [info], []])
    expect(decodeRenewal(payload)).toMatchObject({ ok: false, reason: 'malformed' })
})

test('any value in place of any member throws nothing, and what it says is within its range', () => {
  const members = fc.constantFrom(...(Object.keys(info) as (keyof RenewalPayload)[]), 'gracePeriodExpiresDate' as const)
  const property = fc.property(members, fc.anything(), (member, value) => {
    const result = decodeRenewal({ ...info, [member]: value })
    if (!result.ok) return
    const part = toRenewalPart(result.renewal, NOW)
    expect(['NONE', 'GRACE', 'RETRY', undefined]).toContain(part.billingTrouble)
    expect(part.billingTrouble === 'GRACE').toBe((part.gracePeriodExpiresAt ?? 0) > NOW)
  })
  fc.assert(property, { seed: SEED, numRuns: 1000 })
})
