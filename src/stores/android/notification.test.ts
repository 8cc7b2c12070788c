import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { decodeNotification } from './notification'
import { day, ORDER, TOKEN } from './play.fixtures'
import { decodePush, MAX_DATA_CHARS } from './push'
import { refundMarker } from './voided'

const message = (members: Record<string, unknown> = {}) => ({
  version: '1.0',
  packageName: 'com.example.app',
  eventTimeMillis: String(day(3)),
  ...members,
})
const aboutSubscription = (notificationType: unknown, members: object = {}) =>
  message({ subscriptionNotification: { version: '1.0', notificationType, purchaseToken: TOKEN, ...members } })
const aboutProduct = (notificationType: unknown, members: object = {}) =>
  message({
    oneTimeProductNotification: { version: '1.0', notificationType, purchaseToken: TOKEN, sku: 'gems', ...members },
  })
const voided = (members: object = {}) =>
  message({
    voidedPurchaseNotification: { purchaseToken: TOKEN, orderId: ORDER, productType: 1, refundType: 1, ...members },
  })

function read(value: unknown) {
  const result = decodeNotification(value)
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.notification
}

const FETCH = {
  kind: 'FETCH',
  productType: 'SUBSCRIPTION',
  purchaseToken: TOKEN,
  storeProductId: null,
  chargedAt: null,
  revokedAt: null,
  partlyRefundedAt: null,
} as const

describe('a subscription is fetched, whatever happened to it', () => {
  const names: [type: number, name: string, more: object][] = [
    [1, 'SUBSCRIPTION_RECOVERED', { chargedAt: day(3) }],
    [2, 'SUBSCRIPTION_RENEWED', { chargedAt: day(3) }],
    [3, 'SUBSCRIPTION_CANCELED', {}],
    [4, 'SUBSCRIPTION_PURCHASED', { chargedAt: day(3) }],
    [5, 'SUBSCRIPTION_ON_HOLD', {}],
    [6, 'SUBSCRIPTION_IN_GRACE_PERIOD', {}],
    [7, 'SUBSCRIPTION_RESTARTED', {}],
    [8, 'SUBSCRIPTION_PRICE_CHANGE_CONFIRMED', {}],
    [9, 'SUBSCRIPTION_DEFERRED', {}],
    [10, 'SUBSCRIPTION_PAUSED', {}],
    [11, 'SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED', {}],
    [12, 'SUBSCRIPTION_REVOKED', { revokedAt: day(3) }],
    [13, 'SUBSCRIPTION_EXPIRED', {}],
    [14, 'SUBSCRIPTION_14', {}],
    [15, 'SUBSCRIPTION_15', {}],
    [16, 'SUBSCRIPTION_16', {}],
    [17, 'SUBSCRIPTION_ITEMS_CHANGED', {}],
    [18, 'SUBSCRIPTION_CANCELLATION_SCHEDULED', {}],
    [19, 'SUBSCRIPTION_PRICE_CHANGE_UPDATED', {}],
    [22, 'SUBSCRIPTION_PRICE_STEP_UP_CONSENT_UPDATED', {}],
    [99, 'SUBSCRIPTION_99', {}],
  ]
  for (const [type, name, more] of names)
    test(`${type} ${name}`, () =>
      expect(read(aboutSubscription(type))).toEqual({
        packageName: 'com.example.app',
        eventAt: day(3),
        type: name,
        action: { ...FETCH, ...more },
      }))
  test('with the product, where Google names it', () =>
    expect(read(aboutSubscription(2, { subscriptionId: 'pro' })).action).toMatchObject({ storeProductId: 'pro' }))
})

test('a pending subscription that was given up is nothing to fetch', () =>
  expect(read(aboutSubscription(20))).toMatchObject({
    type: 'SUBSCRIPTION_PENDING_PURCHASE_CANCELED',
    action: { kind: 'IGNORED' },
  }))

test('a one-time purchase is fetched', () =>
  expect(read(aboutProduct(1))).toMatchObject({
    type: 'ONE_TIME_PRODUCT_PURCHASED',
    action: { ...FETCH, productType: 'ONE_TIME', storeProductId: 'gems' },
  }))

test('a pending one-time purchase that was given up is ignored', () =>
  expect(read(aboutProduct(2))).toMatchObject({ type: 'ONE_TIME_PRODUCT_CANCELED', action: { kind: 'IGNORED' } }))

describe('a voided purchase', () => {
  const marker = refundMarker(ORDER, day(3))
  test('in full is a refund of the order', () => {
    expect(read(voided()).action).toEqual({ kind: 'MARKER', productType: 'SUBSCRIPTION', purchaseToken: TOKEN, marker })
    expect(read(voided({ productType: 2 })).action).toMatchObject({ kind: 'MARKER', productType: 'ONE_TIME', marker })
  })
  test('as before there were refund types', () =>
    expect(read(voided({ refundType: undefined })).action).toMatchObject({ kind: 'MARKER', marker }))
  test('in some units is fetched, for the notification does not say how many', () =>
    expect(read(voided({ productType: 2, refundType: 2 })).action).toEqual({
      ...FETCH,
      productType: 'ONE_TIME',
      partlyRefundedAt: day(3),
    }))
})

test('tests and kinds unknown here are ignored', () => {
  expect(read(message({ testNotification: { version: '1.0' } }))).toMatchObject({
    type: 'TEST',
    action: { kind: 'IGNORED' },
  })
  expect(read(message({ pendingRefundReviewNotification: {} }))).toMatchObject({
    type: 'UNKNOWN',
    action: { kind: 'IGNORED' },
  })
})

describe('refused, with the member at fault', () => {
  const cases: [name: string, value: unknown, field: string][] = [
    ['nothing', null, 'body'],
    ['a text', 'x', 'body'],
    ['no package', { ...message(), packageName: undefined }, 'packageName'],
    ['a package that is a path', { ...message(), packageName: '../com.example' }, 'packageName'],
    ['no time', { ...message(), eventTimeMillis: undefined }, 'eventTimeMillis'],
    ['a time that is none', { ...message(), eventTimeMillis: 'now' }, 'eventTimeMillis'],
    ['a time before 1970', { ...message(), eventTimeMillis: '-5' }, 'eventTimeMillis'],
    ['a time beyond the year 9999', { ...message(), eventTimeMillis: '9999999999999999' }, 'eventTimeMillis'],
    ['a type as text', aboutSubscription('2'), 'subscriptionNotification'],
    ['no type', aboutSubscription(undefined), 'subscriptionNotification'],
    ['no token', aboutSubscription(2, { purchaseToken: undefined }), 'subscriptionNotification'],
    ['an empty token', aboutSubscription(2, { purchaseToken: '' }), 'subscriptionNotification'],
    ['a token with a line break', aboutProduct(1, { purchaseToken: 'a\nb' }), 'oneTimeProductNotification'],
    ['a token without end', aboutProduct(1, { purchaseToken: 'x'.repeat(2049) }), 'oneTimeProductNotification'],
    ['an order that is a number', voided({ orderId: 5 }), 'voidedPurchaseNotification'],
    ['two at once', { ...aboutSubscription(2), ...voided() }, 'voidedPurchaseNotification'],
  ]
  for (const [name, value, field] of cases)
    test(name, () => expect(decodeNotification(value)).toEqual({ ok: false, reason: 'malformed', field }))
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const push = (data: unknown, members: object = {}) => ({
  message: { data, messageId: '136969346945', publishTime: '2026-01-04T08:00:00.5Z', ...members },
  subscription: 'projects/p/subscriptions/s',
})

describe('the envelope of a push', () => {
  test('names the message and carries the notification', () =>
    expect(decodePush(push(encode(aboutSubscription(13))))).toMatchObject({
      ok: true,
      push: {
        messageId: '136969346945',
        publishedAt: day(3) + 500,
        subscription: 'projects/p/subscriptions/s',
        notification: { type: 'SUBSCRIPTION_EXPIRED' },
      },
    }))
  test('need not say when it was published', () =>
    expect(decodePush(push(encode(aboutSubscription(13)), { publishTime: undefined }))).toMatchObject({
      ok: true,
      push: { publishedAt: null },
    }))

  const good = encode(aboutSubscription(13))
  const cases: [name: string, body: unknown, refusal: object][] = [
    ['no object', 5, { reason: 'malformed', field: 'body' }],
    ['no message', { subscription: 's' }, { reason: 'malformed', field: 'message' }],
    ['no subscription', { message: push(good).message }, { reason: 'malformed', field: 'subscription' }],
    ['no message id', push(good, { messageId: undefined }), { reason: 'malformed', field: 'message' }],
    ['a message id without end', push(good, { messageId: '1'.repeat(129) }), { reason: 'malformed', field: 'message' }],
    ['a message id with a line break', push(good, { messageId: '1\n' }), { reason: 'malformed', field: 'message' }],
    ['no data', push(undefined), { reason: 'malformed', field: 'message' }],
    ['data that is no base64', push('{"a":1}'), { reason: 'malformed', field: 'message' }],
    ['data of 64 KiB and more', push('A'.repeat(MAX_DATA_CHARS + 4)), { reason: 'too_large' }],
    ['data that is no JSON', push('AAAA'), { reason: 'malformed', field: 'data.body' }],
    ['data cut short', push(good.slice(0, 40)), { reason: 'malformed', field: 'data.body' }],
    ['empty data', push(''), { reason: 'malformed', field: 'data.body' }],
    ['another message', push(encode({ hello: 1 })), { reason: 'malformed', field: 'data.packageName' }],
    [
      'brackets without end',
      push(Buffer.from('['.repeat(40_000)).toString('base64')),
      { reason: 'malformed', field: 'data.body' },
    ],
  ]
  for (const [name, body, refusal] of cases)
    test(`refused: ${name}`, () => expect(decodePush(body)).toEqual({ ok: false, ...refusal } as never))
})

test('whatever is pushed, nothing is thrown', () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => push(Buffer.from(array).toString('base64')))
  const json = fc.anything().map((value) => push(encode(value ?? null)))
  const near = fc
    .record({
      notificationType: fc.oneof(fc.integer(), fc.anything()),
      purchaseToken: fc.oneof(fc.string(), fc.anything()),
      kind: fc.constantFrom('subscriptionNotification', 'oneTimeProductNotification', 'voidedPurchaseNotification'),
    })
    .map(({ kind, ...members }) => push(encode(message({ [kind]: members }))))
  fc.assert(
    fc.property(fc.oneof(fc.anything(), bytes, json, near), (body) => {
      expect(typeof decodePush(body).ok).toBe('boolean')
    }),
    { numRuns: 500 },
  )
})
