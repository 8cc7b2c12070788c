import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import type { RenewalPayload } from '../../src/stores/ios/renewal'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { OTHER_NOTIFICATIONS, PURCHASE_NOTIFICATIONS } from '../../src/test-store/stores/notification'
import { COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { access, everything, expire, listenTo, refund, renew, rowOf } from '../support/facts'
import { lastStoreEvent, notify, purchaseOf } from '../support/notify'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

interface NotificationContent {
  transaction: TransactionPayload
  renewal?: Partial<RenewalPayload>
}

interface Row {
  kind: NotificationKind
  /** Days after the purchase of `pro_monthly`, which runs for 30 days, at which the notification comes. */
  day: number
  /** Earlier notifications, whose events are not checked. */
  before?: [day: number, kind: NotificationKind, contentOf?: (bought: TransactionPayload) => NotificationContent][]
  contentOf?: (bought: TransactionPayload) => NotificationContent
  status: string
  access: string[]
  events: string[]
}

const same = (transaction: TransactionPayload): NotificationContent => ({ transaction })
const renewed = (bought: TransactionPayload): NotificationContent => ({ transaction: renew(s, bought, MONTHLY) })
const refunded = (bought: TransactionPayload): NotificationContent => ({ transaction: refund(s, bought) })
const bought =
  (product: typeof MONTHLY, options = {}) =>
  (previous: TransactionPayload): NotificationContent => ({
    transaction: s.buy(product, { previous, ...options }),
  })
const next =
  (autoRenewProductId: string) =>
  (transaction: TransactionPayload): NotificationContent => ({
    transaction,
    renewal: { autoRenewProductId },
  })
const GRACE: NotificationKind = ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD']
const OFF: NotificationKind = ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED']
const LOST = ['purchase.expired', 'entitlement.revoked']

/** Notifications of a purchase that a device has submitted, by type and subtype (wire 5.5). */
const ROWS: Row[] = [
  {
    kind: ['SUBSCRIBED', 'RESUBSCRIBE'],
    day: 40,
    before: [[31, ['EXPIRED', 'VOLUNTARY']]],
    contentOf: bought(MONTHLY),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.renewed', 'entitlement.granted'],
  },
  {
    kind: ['DID_RENEW', null],
    day: 29,
    contentOf: renewed,
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.renewed'],
  },
  {
    kind: ['DID_RENEW', 'BILLING_RECOVERY'],
    day: 35,
    before: [[30, GRACE]],
    contentOf: renewed,
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.recovered'],
  },
  { kind: OFF, day: 3, status: 'ACTIVE', access: ['pro'], events: ['purchase.cancelled'] },
  {
    kind: ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'],
    day: 4,
    before: [[3, OFF]],
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.uncancelled'],
  },
  {
    kind: ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'],
    day: 5,
    contentOf: bought(YEARLY),
    status: 'ACTIVE',
    access: ['coach', 'pro'],
    events: ['purchase.product_changed', 'entitlement.granted'],
  },
  {
    kind: ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'],
    day: 5,
    contentOf: next(YEARLY.productId),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.product_changed'],
  },
  {
    kind: ['DID_CHANGE_RENEWAL_PREF', null],
    day: 6,
    before: [[5, ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'], next(YEARLY.productId)]],
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.product_changed'],
  },
  {
    kind: GRACE,
    day: 30,
    status: 'GRACE_PERIOD',
    access: ['pro'],
    events: ['purchase.billing_issue', 'purchase.grace_period'],
  },
  {
    kind: ['DID_FAIL_TO_RENEW', null],
    day: 31,
    status: 'BILLING_RETRY',
    access: [],
    events: ['purchase.billing_issue', 'entitlement.revoked'],
  },
  {
    kind: ['GRACE_PERIOD_EXPIRED', null],
    day: 47,
    before: [[30, GRACE]],
    status: 'BILLING_RETRY',
    access: [],
    events: ['purchase.billing_issue', 'entitlement.revoked'],
  },
  { kind: ['EXPIRED', 'VOLUNTARY'], day: 31, before: [[9, OFF]], status: 'EXPIRED', access: [], events: LOST },
  { kind: ['EXPIRED', 'BILLING_RETRY'], day: 31, status: 'EXPIRED', access: [], events: LOST },
  { kind: ['EXPIRED', 'PRICE_INCREASE'], day: 31, status: 'EXPIRED', access: [], events: LOST },
  { kind: ['EXPIRED', 'PRODUCT_NOT_FOR_SALE'], day: 31, status: 'EXPIRED', access: [], events: LOST },
  { kind: ['EXPIRED', null], day: 31, status: 'EXPIRED', access: [], events: LOST },
  { kind: ['OFFER_REDEEMED', null], day: 3, status: 'ACTIVE', access: ['pro'], events: [] },
  {
    kind: ['OFFER_REDEEMED', 'RESUBSCRIBE'],
    day: 40,
    before: [[31, ['EXPIRED', 'VOLUNTARY']]],
    contentOf: bought(MONTHLY),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.renewed', 'entitlement.granted'],
  },
  {
    kind: ['OFFER_REDEEMED', 'UPGRADE'],
    day: 5,
    contentOf: bought(YEARLY),
    status: 'ACTIVE',
    access: ['coach', 'pro'],
    events: ['purchase.product_changed', 'entitlement.granted'],
  },
  {
    kind: ['OFFER_REDEEMED', 'DOWNGRADE'],
    day: 5,
    contentOf: next(YEARLY.productId),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.product_changed'],
  },
  {
    kind: ['PRICE_INCREASE', 'PENDING'],
    day: 5,
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.price_increase_consent'],
  },
  {
    kind: ['PRICE_INCREASE', 'ACCEPTED'],
    day: 6,
    before: [[5, ['PRICE_INCREASE', 'PENDING']]],
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.price_increase_consent'],
  },
  {
    kind: ['RENEWAL_EXTENDED', null],
    day: 5,
    contentOf: (one) => ({ transaction: { ...one, expiresDate: (one.expiresDate ?? 0) + 7 * DAY } }),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.extended'],
  },
  {
    kind: ['REFUND', null],
    day: 5,
    before: [[4, OFF]],
    contentOf: refunded,
    status: 'REFUNDED',
    access: [],
    events: ['purchase.refunded', 'entitlement.revoked'],
  },
  {
    kind: ['REFUND_REVERSED', null],
    day: 6,
    before: [[5, ['REFUND', null], refunded]],
    contentOf: (transaction) => ({ transaction, renewal: { autoRenewStatus: 0 } }),
    status: 'ACTIVE',
    access: ['pro'],
    events: ['purchase.refund_reversed', 'entitlement.granted'],
  },
  {
    kind: ['REVOKE', null],
    day: 5,
    before: [[4, OFF]],
    contentOf: refunded,
    status: 'REVOKED',
    access: [],
    events: ['purchase.revoked', 'entitlement.revoked'],
  },
  { kind: ['REFUND_DECLINED', null], day: 5, status: 'ACTIVE', access: ['pro'], events: [] },
  { kind: ['CONSUMPTION_REQUEST', null], day: 5, status: 'ACTIVE', access: ['pro'], events: [] },
]

/** Makes the purchase and delivers the notification; returns the events of this notification only. */
async function play({ kind, day, before = [], contentOf = same }: Row) {
  const start = s.ctx.clock.now()
  const first = s.buy(MONTHLY)
  await s.receipt('svc_bo', first)
  const notifyAt = async (
    at: number,
    what: NotificationKind,
    story: (one: TransactionPayload) => NotificationContent,
  ) => {
    s.ctx.clock.set(start + at * DAY)
    const { transaction, renewal } = story(first)
    return notify(s, what, transaction, renewal ? { renewal } : {})
  }
  for (const [at, what, story = same] of before) await notifyAt(at, what, story)
  const events = listenTo(s, 'svc_bo')
  await events()
  const answer = await notifyAt(day, kind, contentOf)
  return { first, answer, events: await events() }
}

describe('a purchase that a device has submitted', () => {
  for (const row of ROWS)
    test(row.kind.filter(Boolean).join('/'), async () => {
      const { first, answer, events } = await play(row)
      expect([answer.status, answer.body]).toEqual([200, { data: { received: true, duplicate: false } }])
      expect(events).toEqual(row.events)
      expect((await purchaseOf(s, first)).status).toBe(row.status as 'ACTIVE')
      expect(Object.keys(await access(s, 'svc_bo')).sort()).toEqual(row.access)
    })
})

describe('a purchase that nobody has submitted', () => {
  const unseen: [NotificationKind, () => TransactionPayload, string, string[]][] = [
    [['SUBSCRIBED', 'INITIAL_BUY'], () => s.buy(MONTHLY), 'ACTIVE', ['purchase.initial', 'entitlement.granted']],
    [
      ['SUBSCRIBED', 'INITIAL_BUY'],
      () => s.buy(MONTHLY, { withTrial: true }),
      'TRIAL',
      ['purchase.trial_started', 'entitlement.granted'],
    ],
    [['OFFER_REDEEMED', 'INITIAL_BUY'], () => s.buy(MONTHLY), 'ACTIVE', ['purchase.initial', 'entitlement.granted']],
    [['ONE_TIME_CHARGE', null], () => s.buy(LIFETIME), 'ACTIVE', ['purchase.non_renewing', 'entitlement.granted']],
    [['ONE_TIME_CHARGE', null], () => s.buy(COINS), 'ACTIVE', ['purchase.non_renewing', 'currency.transaction']],
  ]
  for (const [kind, buy, status, types] of unseen)
    test(`${kind.filter(Boolean).join('/')} ${status} ${types.join()}`, async () => {
      const transaction = buy()
      expect((await notify(s, kind, transaction)).status).toBe(200)
      const purchase = await purchaseOf(s, transaction)
      expect(purchase.status).toBe(status as 'ACTIVE')
      expect((await rowOf(s, `ios:${transaction.originalTransactionId}`)).isSynthetic).toBe(true)
      expect((await s.events(purchase.subscriberId)).map(({ type }) => type)).toEqual(types)
      const [event] = await s.events(purchase.subscriberId)
      const { id } = await lastStoreEvent(s)
      const detail = kind.filter(Boolean).join('/')
      expect(event).toMatchObject({ cause: { kind: 'STORE_NOTIFICATION', ref: id, store: 'IOS_STORE', detail } })
    })
})

test('the reason of an end is the one that the subtype names', async () => {
  const reasons = { VOLUNTARY: 'UNSUBSCRIBED', BILLING_RETRY: 'BILLING_ERROR', PRICE_INCREASE: 'PRICE_INCREASE' }
  for (const [subtype, reason] of Object.entries({ ...reasons, PRODUCT_NOT_FOR_SALE: 'PRODUCT_UNAVAILABLE' })) {
    const one = s.buy(MONTHLY)
    await s.receipt(`svc_${subtype}`, one)
    s.ctx.clock.advance(31 * DAY)
    await notify(s, ['EXPIRED', subtype], one)
    const events = await s.events((await rowOf(s, `svc_${subtype}`)).id)
    expect(events.find(({ type }) => type === 'purchase.expired')?.data).toMatchObject({ reason })
  }
})

test('what is told of no purchase is IGNORED, answered 200 and visible, and changes nothing', async () => {
  await s.receipt('svc_bo', s.buy(MONTHLY))
  const before = await everything(s)
  for (const kind of OTHER_NOTIFICATIONS) {
    expect((await notify(s, kind, null)).body).toEqual({ data: { received: true, duplicate: false } })
    s.ctx.clock.advance(1)
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'IGNORED', type: kind.filter(Boolean).join('/') })
  }
  expect(await everything(s)).toEqual(before)
})

test('every type that the store knows stands in a row above', () => {
  const covered = new Set([
    ...ROWS.map(({ kind }) => kind.join()),
    'SUBSCRIBED,INITIAL_BUY',
    'ONE_TIME_CHARGE,',
    'OFFER_REDEEMED,INITIAL_BUY',
  ])
  expect(PURCHASE_NOTIFICATIONS.map((kind) => kind.join()).filter((name) => !covered.has(name))).toEqual([])
})

test('an early end told by the store itself takes access at once', async () => {
  const one = s.buy(MONTHLY)
  await s.receipt('svc_bo', one)
  s.ctx.clock.advance(3 * DAY)
  await notify(s, ['EXPIRED', 'VOLUNTARY'], expire(s, one))
  expect(await access(s, 'svc_bo')).toEqual({})
})
