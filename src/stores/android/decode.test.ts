import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { decodeSubscription, itemFor, type SubscriptionItem } from './decode'
import { day, decoded, isoDay, item, ORDER, PRICE, subscription, TOKEN } from './play.fixtures'

const read = (resource: unknown) => decodeSubscription(resource, TOKEN)
const withItem = (members: Parameters<typeof item>[0]) => subscription('ACTIVE', { lineItems: [item(members)] })
const withPlan = (plan: Record<string, unknown>) =>
  decoded(withItem({ autoRenewingPlan: { autoRenewEnabled: true, ...plan } })).item

describe('refused as malformed, with the member at fault', () => {
  const cases: [name: string, resource: unknown, field: string][] = [
    ['no object', 'subscription', 'body'],
    ['null', null, 'body'],
    ['a list', [], 'body'],
    ['no state', { ...subscription('ACTIVE'), subscriptionState: undefined }, 'subscriptionState'],
    ['a state that is a number', { ...subscription('ACTIVE'), subscriptionState: 1 }, 'subscriptionState'],
    ['an empty state', { ...subscription('ACTIVE'), subscriptionState: '' }, 'subscriptionState'],
    ['no start', subscription('ACTIVE', { startTime: null }), 'startTime'],
    ['a start on 31 February', subscription('ACTIVE', { startTime: '2026-02-31T00:00:00Z' }), 'startTime'],
    ['a start in milliseconds', { ...subscription('ACTIVE'), startTime: day(0) }, 'startTime'],
    ['a state that Google added later', subscription('FROZEN'), 'subscriptionState'],
    ['such a state before its start', subscription('AWAITING', { startTime: null }), 'subscriptionState'],
    ['a state in another spelling', { ...subscription('ACTIVE'), subscriptionState: 'ACTIVE' }, 'subscriptionState'],
    ['a state with the name of an object member', subscription('constructor'), 'subscriptionState'],
    ['a start that is no time', subscription('ACTIVE', { startTime: 'soon' }), 'startTime'],
    ['no line items', subscription('ACTIVE', { lineItems: [] }), 'lineItems'],
    ['line items that are no list', { ...subscription('ACTIVE'), lineItems: item() }, 'lineItems'],
    ['a line item without product', withItem({ productId: null }), 'lineItems'],
    ['an item bought but without end', withItem({ expiryTime: null }), 'lineItems'],
    ['an end that is no time', withItem({ expiryTime: '2026-13-01T00:00:00Z' }), 'lineItems'],
    ['an end beyond the year 9999', withItem({ expiryTime: '10000-01-01T00:00:00Z' }), 'lineItems'],
    ['auto-renew as text', withItem({ autoRenewingPlan: { autoRenewEnabled: 'true' as never } }), 'lineItems'],
    ['nanos beyond a unit', withItem({ autoRenewingPlan: { recurringPrice: { nanos: 1_000_000_000 } } }), 'lineItems'],
    ['units with a fraction', withItem({ autoRenewingPlan: { recurringPrice: { units: '9.99' } } }), 'lineItems'],
    ['an order id with a line break', withItem({ latestSuccessfulOrderId: 'GPA.1\nx' }), 'lineItems'],
    ['a linked token that is a number', { ...subscription('ACTIVE'), linkedPurchaseToken: 7 }, 'linkedPurchaseToken'],
    [
      'a linked token without end',
      subscription('ACTIVE', { linkedPurchaseToken: 'x'.repeat(2049) }),
      'linkedPurchaseToken',
    ],
    ['a test purchase that is a flag', { ...subscription('ACTIVE'), testPurchase: true }, 'testPurchase'],
    ['101 line items', subscription('ACTIVE', { lineItems: Array(101).fill(item()) }), 'lineItems'],
  ]
  for (const [name, resource, field] of cases)
    test(name, () => expect(read(resource)).toEqual({ ok: false, reason: 'malformed', field }))
})

describe('not paid: nobody owns it yet', () => {
  for (const state of ['PENDING', 'PENDING_PURCHASE_CANCELED'])
    test(state, () => expect(read(subscription(state))).toEqual({ ok: false, reason: 'not_paid' }))
  test('pending, as Google tells it: without start, end and order', () => {
    const lineItems = [item({ expiryTime: null, latestSuccessfulOrderId: null })]
    const resource = subscription('PENDING', { startTime: null, lineItems })
    expect(read(resource)).toEqual({ ok: false, reason: 'not_paid' })
  })
})

test('the facts of a purchase', () => {
  const resource = subscription('ACTIVE', {
    linkedPurchaseToken: 'old',
    testPurchase: {},
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED',
    externalAccountIdentifiers: { obfuscatedExternalAccountId: 'a1', obfuscatedExternalProfileId: 'p1' },
    outOfAppPurchaseContext: { expiredPurchaseToken: 'lapsed' },
  })
  expect(decoded(resource).subscription).toEqual({
    purchaseToken: TOKEN,
    state: 'ACTIVE',
    environment: 'SANDBOX',
    country: 'US',
    startedAt: day(0),
    linkedPurchaseToken: 'old',
    expiredPurchaseToken: 'lapsed',
    account: { obfuscatedAccountId: 'a1', obfuscatedProfileId: 'p1' },
    isAcknowledged: true,
    autoResumeAt: null,
    endReason: 'UNKNOWN',
    items: [
      {
        storeProductId: 'pro',
        orderId: ORDER,
        expiresAt: day(30),
        basePlanId: 'monthly',
        offerId: null,
        phase: 'BASE',
        autoRenews: true,
        isPrepaid: false,
        recurringPrice: PRICE,
        priceAfter: null,
        pendingStoreProductId: null,
        replacedProductId: null,
        priceConsent: null,
      },
    ],
  })
})

test('what is not told is null: an account, a link, an acknowledgement, a test', () => {
  const { subscription: purchase } = decoded(subscription('ACTIVE', { linkedPurchaseToken: null }))
  expect(purchase).toMatchObject({
    environment: 'PRODUCTION',
    linkedPurchaseToken: null,
    isAcknowledged: false,
    account: { obfuscatedAccountId: null, obfuscatedProfileId: null },
  })
})

test('members and phases unknown here are no fault', () => {
  const resource = {
    ...subscription('ACTIVE'),
    novelty: { of: 2031 },
    lineItems: [{ ...item(), offerPhase: { gift: {} } }],
  }
  expect(decoded(resource)).toMatchObject({ subscription: { state: 'ACTIVE' }, item: { phase: null } })
})

describe('price', () => {
  const cases: [name: string, money: Record<string, unknown> | null, micros: number | null][] = [
    ['units and nanos', { currencyCode: 'USD', units: '9', nanos: 990_000_000 }, 9_990_000],
    ['units alone', { currencyCode: 'USD', units: '1200' }, 1_200_000_000],
    ['units as a number', { currencyCode: 'USD', units: 3 }, 3_000_000],
    ['nanos alone', { currencyCode: 'USD', nanos: 490_000_000 }, 490_000],
    ['finer than a micro is cut', { currencyCode: 'USD', nanos: 1_999 }, 1],
    ['what floating point would get wrong', { currencyCode: 'USD', units: '1', nanos: 100_000_000 }, 1_100_000],
    ['no price', null, null],
    ['only a currency: unknown, not free', { currencyCode: 'USD' }, null],
    ['no currency', { units: '9' }, null],
    ['a currency of two letters', { currencyCode: 'US', units: '9' }, null],
    ['a negative price', { currencyCode: 'USD', units: '-1', nanos: -750_000_000 }, null],
    ['beyond exact integers', { currencyCode: 'USD', units: '9007199255' }, null],
    ['beyond 64 bits', { currencyCode: 'USD', units: '9999999999999999999' }, null],
  ]
  for (const [name, recurringPrice, micros] of cases)
    test(name, () => {
      const price = micros === null ? null : { amountMicros: micros, currency: 'USD' }
      expect(withPlan({ recurringPrice }).recurringPrice).toEqual(price)
    })
})

describe('phase', () => {
  const cases: [phase: Record<string, unknown> | null, expected: SubscriptionItem['phase']][] = [
    [{ freeTrial: {} }, 'FREE_TRIAL'],
    [{ introductoryPrice: {} }, 'INTRODUCTORY'],
    [{ prorationPeriod: { originalOfferPhaseType: 'FREE_TRIAL' } }, 'PRORATION'],
    [{ basePrice: {} }, 'BASE'],
    [{}, null],
    [null, null],
  ]
  for (const [offerPhase, expected] of cases)
    test(`${JSON.stringify(offerPhase)} is ${expected}`, () =>
      expect(decoded(withItem({ offerPhase: offerPhase as object })).item.phase).toBe(expected))
  test('an offer whose phase is not told is not taken for a trial', () => {
    const offerDetails = { basePlanId: 'monthly', offerId: 'free-trial', offerTags: ['trial'] }
    expect(decoded(withItem({ offerPhase: null as never, offerDetails })).item).toMatchObject({
      phase: null,
      offerId: 'free-trial',
    })
  })
})

describe('consent to a higher price', () => {
  const change = (priceChangeMode: string, priceChangeState: string) => ({
    priceChangeDetails: { priceChangeMode, priceChangeState },
  })
  const cases: [plan: Record<string, unknown>, expected: SubscriptionItem['priceConsent']][] = [
    [change('PRICE_INCREASE', 'OUTSTANDING'), 'PENDING'],
    [change('PRICE_INCREASE', 'CONFIRMED'), 'ACCEPTED'],
    [change('PRICE_INCREASE', 'APPLIED'), null],
    [change('PRICE_INCREASE', 'CANCELED'), null],
    [change('PRICE_DECREASE', 'OUTSTANDING'), null],
    [change('OPT_OUT_PRICE_INCREASE', 'OUTSTANDING'), null],
    [{ priceStepUpConsentDetails: { state: 'PENDING' } }, 'PENDING'],
    [{ priceStepUpConsentDetails: { state: 'CONFIRMED' } }, 'ACCEPTED'],
    [{ priceStepUpConsentDetails: { state: 'COMPLETED' } }, null],
    [{}, null],
  ]
  for (const [plan, expected] of cases)
    test(`${JSON.stringify(plan)}: ${expected}`, () => expect(withPlan(plan).priceConsent).toBe(expected))
})

describe('auto-renew', () => {
  test('left out it is off, as protobuf leaves out what is false', () =>
    expect(decoded(withItem({ autoRenewingPlan: {} })).item.autoRenews).toBe(false))
  test('a prepaid plan never renews', () =>
    expect(decoded(withItem({ autoRenewingPlan: null as never, prepaidPlan: {} })).item).toMatchObject({
      autoRenews: false,
      isPrepaid: true,
      recurringPrice: null,
    }))
  test('without a plan nothing is said', () =>
    expect(decoded(withItem({ autoRenewingPlan: null as never })).item.autoRenews).toBeNull())
})

describe('why it ended', () => {
  const context = (canceledStateContext: object) => subscription('EXPIRED', { canceledStateContext })
  const priceAsked = item({
    autoRenewingPlan: { priceChangeDetails: { priceChangeMode: 'PRICE_INCREASE', priceChangeState: 'OUTSTANDING' } },
  })
  const cases: [name: string, resource: object, reason: string][] = [
    ['the buyer cancelled', context({ userInitiatedCancellation: { cancelTime: isoDay(3) } }), 'UNSUBSCRIBED'],
    ['Google could not charge', context({ systemInitiatedCancellation: {} }), 'BILLING_ERROR'],
    [
      'nobody agreed to the price',
      { ...context({ systemInitiatedCancellation: {} }), lineItems: [priceAsked] },
      'PRICE_INCREASE',
    ],
    ['the developer ended it', context({ developerInitiatedCancellation: {} }), 'DEVELOPER'],
    ['another purchase replaced it', context({ replacementCancellation: {} }), 'REPLACED'],
    [
      'a prepaid plan was not topped up',
      subscription('EXPIRED', { lineItems: [item({ autoRenewingPlan: null as never, prepaidPlan: {} })] }),
      'UNSUBSCRIBED',
    ],
    ['nothing is told', subscription('EXPIRED'), 'UNKNOWN'],
  ]
  for (const [name, resource, reason] of cases)
    test(`${name}: ${reason}`, () => expect(String(decoded(resource).subscription.endReason)).toBe(reason))
})

describe('several line items', () => {
  const addOn = item({
    productId: 'add_on',
    expiryTime: isoDay(12),
    latestSuccessfulOrderId: `${ORDER}..4`,
    offerDetails: { basePlanId: 'weekly' },
  })
  const { subscription: bundle } = decoded(subscription('ACTIVE', { lineItems: [item(), addOn] }))

  test('the product asked for brings its own end, order and base plan', () => {
    expect(itemFor(bundle, 'add_on')).toMatchObject({
      expiresAt: day(12),
      orderId: `${ORDER}..4`,
      basePlanId: 'weekly',
    })
    expect(itemFor(bundle, 'pro')).toMatchObject({ expiresAt: day(30), orderId: ORDER, basePlanId: 'monthly' })
  })
  test('a product that is not in it has no item', () => expect(itemFor(bundle, 'other')).toBeNull())
  test('a name of an object member is no product', () => expect(itemFor(bundle, 'constructor')).toBeNull())

  const next = { productId: 'basic', offerDetails: { basePlanId: 'monthly' } }
  const { subscription: deferred } = decoded(
    subscription('ACTIVE', { lineItems: [item({ deferredItemReplacement: { productId: 'basic' } }), next] }),
  )
  test('an item that a later renewal will bring is not owned yet', () =>
    expect(deferred.items.map(({ storeProductId }) => storeProductId)).toEqual(['pro']))
  test('asked for, it is the item that it will replace', () =>
    expect(itemFor(deferred, 'basic')).toMatchObject({ storeProductId: 'pro', pendingStoreProductId: 'basic:monthly' }))
  test('it is owned all the same when it has an order of its own', () => {
    const both = subscription('ACTIVE', {
      lineItems: [item({ deferredItemReplacement: { productId: 'basic' } }), item({ productId: 'basic' })],
    })
    expect(decoded(both).subscription.items).toHaveLength(2)
  })
  test('one that has an order but no end is no item to read past', () =>
    expect(read(subscription('ACTIVE', { lineItems: [item(), item({ productId: 'x', expiryTime: null })] }))).toEqual({
      ok: false,
      reason: 'malformed',
      field: 'lineItems',
    }))
  test('nor is one that has neither order nor end', () =>
    expect(
      decoded(subscription('ACTIVE', { lineItems: [item(), { productId: 'soon' }] })).subscription.items,
    ).toHaveLength(1))
})

test('an older answer names the order of the whole purchase only', () => {
  const resource = { ...withItem({ latestSuccessfulOrderId: null }), latestOrderId: `${ORDER}..2` }
  expect(decoded(resource).item.orderId).toBe(`${ORDER}..2`)
})

test('whatever Google answers, nothing is thrown', () => {
  const anyState = fc
    .constantFrom('ACTIVE', 'PAUSED', 'EXPIRED', 'PENDING', 'NEW')
    .map((state) => `SUBSCRIPTION_STATE_${state}`)
  const near = fc.record(
    {
      subscriptionState: fc.oneof(anyState, fc.anything()),
      startTime: fc.oneof(fc.constant(isoDay(0)), fc.anything()),
      lineItems: fc.oneof(fc.array(fc.oneof(fc.constant(item()), fc.object())), fc.anything()),
      canceledStateContext: fc.anything(),
      linkedPurchaseToken: fc.anything(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        near,
        fc.json().map((text) => JSON.parse(text)),
      ),
      (resource) => {
        expect(typeof read(resource).ok).toBe('boolean')
      },
    ),
    { numRuns: 500 },
  )
})
