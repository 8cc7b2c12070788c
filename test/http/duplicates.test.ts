import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import type { RenewalPayload } from '../../src/stores/ios/renewal'
import type { AndroidStore } from '../../src/test-store/stores/android-store'
import type { SimulatedProduct } from '../../src/test-store/stores/ios'
import { type NotificationKind, PURCHASE_NOTIFICATIONS } from '../../src/test-store/stores/notification'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { type Answer, COINS, LIFETIME, MONTHLY, YEARLY } from '../support/cast'
import { changeSettings, eventTypes, money, refund, renew } from '../support/facts'
import { deliver, notificationBody, notify } from '../support/notify'

let s: AndroidStage
beforeAll(async () => {
  s = await androidStage()
  await changeSettings(s, { clawback: 'full' })
})
afterAll(() => s.close())

const PATIENCE_MS = 600_000
const many = (call: () => Promise<Answer>): Promise<Answer[]> => Promise.all(Array.from({ length: 100 }, call))

/** The result of a purchase for its owner, as text without ids. */
async function outcome(originalTransactionId: string) {
  const { purchases: p, observations: o, ledger: l } = s.ctx.tables
  const all = await s.ctx.db.select().from(p)
  const owner = all.find((row) => row.originalTransactionId === originalTransactionId)?.subscriberId ?? ''
  const own = all.filter(({ subscriberId }) => subscriberId === owner)
  const kept = await s.ctx.db.select().from(o)
  const entries = (await s.ctx.db.select().from(l)).filter(({ subscriberId }) => subscriberId === owner)
  const access = await s.call('GET', `/v1/subscribers/${owner}/access`, { key: s.project.secretKey })
  return {
    purchases: own.map(({ status, effectiveEnd, fold }) => [status, effectiveEnd, fold.storeProductId]).sort(),
    observations: own.map(({ id }) => kept.filter(({ purchaseId }) => purchaseId === id).length).sort(),
    money: await money(s, owner),
    events: await eventTypes(s, owner),
    balance: entries.map(({ amount, balance }) => [amount, balance]).sort(),
    access: access.body.data.access,
  }
}

/** One delivery had an effect. The others were duplicates, or were refused with a request to come again. */
function expectOneEffect(answers: readonly Answer[]): void {
  const names = answers.map(({ status, body }) => `${status} ${body.data?.duplicate ?? body.error.code}`)
  expect(names.filter((name) => name === '200 false')).toHaveLength(1)
  const odd = names.filter((name) => !['200 false', '200 true', '409 WEBHOOK_IN_PROGRESS'].includes(name))
  expect(odd).toEqual([])
}

const expectRepeated = ({ status, body }: Answer): void =>
  expect([status, body]).toEqual([200, { data: { received: true, duplicate: true } }])

interface Submission {
  transaction: TransactionPayload
  renewal?: Partial<RenewalPayload>
}
type Story = (one: TransactionPayload) => Submission

const same: Story = (transaction) => ({ transaction })
const renewed: Story = (one) => ({ transaction: renew(s, one, MONTHLY) })
const refunded: Story = (one) => ({ transaction: refund(s, one) })
const bought =
  (product: SimulatedProduct): Story =>
  (previous) => ({ transaction: s.buy(product, { previous }) })
const next =
  (autoRenewProductId: string): Story =>
  (transaction) => ({ transaction, renewal: { autoRenewProductId } })
const longer: Story = (one) => ({ transaction: { ...one, expiresDate: (one.expiresDate ?? 0) + 7 * DAY } })

const GRACE: NotificationKind = ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD']
const OFF: NotificationKind = ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED']
const OVER: NotificationKind = ['EXPIRED', 'VOLUNTARY']
const DOWN: NotificationKind = ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE']

interface Row {
  kind: NotificationKind
  /** Days after the purchase. */
  day: number
  story?: Story
  before?: [day: number, kind: NotificationKind, story?: Story]
  product?: SimulatedProduct
}

/** Notifications about a month (or another product) that a device has submitted. */
const SUBMITTED: Row[] = [
  { kind: ['SUBSCRIBED', 'RESUBSCRIBE'], day: 40, before: [31, OVER], story: bought(MONTHLY) },
  { kind: ['DID_RENEW', null], day: 29, story: renewed },
  { kind: ['DID_RENEW', null], day: 364, story: (one) => ({ transaction: renew(s, one, YEARLY) }), product: YEARLY },
  { kind: ['DID_RENEW', 'BILLING_RECOVERY'], day: 35, before: [30, GRACE], story: renewed },
  { kind: OFF, day: 3 },
  { kind: ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'], day: 4, before: [3, OFF] },
  { kind: ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], day: 5, story: bought(YEARLY) },
  { kind: DOWN, day: 5, story: next(YEARLY.productId) },
  { kind: ['DID_CHANGE_RENEWAL_PREF', null], day: 6, before: [5, DOWN, next(YEARLY.productId)] },
  { kind: GRACE, day: 30 },
  { kind: ['DID_FAIL_TO_RENEW', null], day: 31 },
  { kind: ['GRACE_PERIOD_EXPIRED', null], day: 47, before: [30, GRACE] },
  { kind: OVER, day: 31 },
  { kind: ['EXPIRED', 'BILLING_RETRY'], day: 31 },
  { kind: ['EXPIRED', 'PRICE_INCREASE'], day: 31 },
  { kind: ['EXPIRED', 'PRODUCT_NOT_FOR_SALE'], day: 31 },
  { kind: ['EXPIRED', null], day: 31 },
  { kind: ['OFFER_REDEEMED', null], day: 3 },
  { kind: ['OFFER_REDEEMED', 'RESUBSCRIBE'], day: 40, before: [31, OVER], story: bought(MONTHLY) },
  { kind: ['OFFER_REDEEMED', 'UPGRADE'], day: 5, story: bought(YEARLY) },
  { kind: ['OFFER_REDEEMED', 'DOWNGRADE'], day: 5, story: next(YEARLY.productId) },
  { kind: ['PRICE_INCREASE', 'PENDING'], day: 5 },
  { kind: ['PRICE_INCREASE', 'ACCEPTED'], day: 6, before: [5, ['PRICE_INCREASE', 'PENDING']] },
  { kind: ['RENEWAL_EXTENDED', null], day: 5, story: longer },
  { kind: ['REFUND', null], day: 5, story: refunded },
  { kind: ['REFUND', null], day: 5, story: refunded, product: COINS },
  { kind: ['REFUND_REVERSED', null], day: 6, before: [5, ['REFUND', null], refunded] },
  { kind: ['REFUND_REVERSED', null], day: 6, before: [5, ['REFUND', null], refunded], product: COINS },
  { kind: ['REVOKE', null], day: 5, story: refunded },
  { kind: ['REFUND_DECLINED', null], day: 5 },
  { kind: ['CONSUMPTION_REQUEST', null], day: 5, product: COINS },
]

/** Notifications about a purchase that no device has submitted. */
const UNSEEN: [kind: NotificationKind, product: SimulatedProduct, withTrial?: boolean][] = [
  [['SUBSCRIBED', 'INITIAL_BUY'], YEARLY],
  [['SUBSCRIBED', 'INITIAL_BUY'], MONTHLY, true],
  [['OFFER_REDEEMED', 'INITIAL_BUY'], MONTHLY],
  [['ONE_TIME_CHARGE', null], COINS],
  [['ONE_TIME_CHARGE', null], LIFETIME],
]

let count = 0
const nobody = (): string => `svc_${++count}`

describe('100 at once of a notification of the App Store', () => {
  const name = (kind: NotificationKind) => kind.filter(Boolean).join('/')
  for (const { kind, day, before, story = same, product = MONTHLY } of SUBMITTED)
    test(
      `${name(kind)} of ${product.productId}`,
      async () => {
        const start = s.ctx.clock.now()
        const at = (days: number) => s.ctx.clock.set(start + days * DAY)
        const purchases = [s.buy(product), s.buy(product)]
        for (const one of purchases) await s.receipt(nobody(), one)
        if (before) {
          const [on, earlier, tale = same] = before
          at(on)
          for (const one of purchases) {
            const { transaction, renewal } = tale(one)
            await notify(s, earlier, transaction, renewal ? { renewal } : {})
          }
        }
        at(day)
        const bodies = purchases.map((one) => {
          const { transaction, renewal } = story(one)
          return notificationBody(s, kind, transaction, renewal ? { renewal } : {})
        })
        await check(
          bodies.map((body) => () => deliver(s, body)),
          purchases.map(({ originalTransactionId }) => originalTransactionId),
        )
      },
      PATIENCE_MS,
    )
  for (const [kind, product, withTrial = false] of UNSEEN)
    test(
      `${name(kind)} of ${product.productId}${withTrial ? ' on trial' : ''}, which nobody has shown`,
      async () => {
        const purchases = [s.buy(product, { withTrial }), s.buy(product, { withTrial })]
        const bodies = purchases.map((one) => notificationBody(s, kind, one))
        await check(
          bodies.map((body) => () => deliver(s, body)),
          purchases.map(({ originalTransactionId }) => originalTransactionId),
        )
      },
      PATIENCE_MS,
    )
  test('every kind stands in a row above', () => {
    const covered = new Set([...SUBMITTED.map(({ kind }) => kind), ...UNSEEN.map(([kind]) => kind)].map(name))
    expect(PURCHASE_NOTIFICATIONS.map(name).filter((one) => !covered.has(one))).toEqual([])
  })
})

/**
 * Delivers once to the first purchase and a hundred times to the second. Both must have the same result, then and after
 * one more delivery.
 */
async function check(deliveries: readonly (() => Promise<Answer>)[], ids: readonly string[]): Promise<void> {
  const [once, often] = deliveries
  const [first = '', second = ''] = ids
  if (!once || !often) throw new Error('two deliveries are needed')
  expect((await once()).body).toEqual({ data: { received: true, duplicate: false } })
  expectOneEffect(await many(often))
  expect(await outcome(second)).toEqual(await outcome(first))
  expectRepeated(await often())
  expect(await outcome(second)).toEqual(await outcome(first))
}

type Turn = (store: AndroidStore, token: string) => unknown
const month = (store: AndroidStore): string => store.subscribe(ANDROID_MONTHLY)
const buy =
  (productId: string, quantity = 1) =>
  (store: AndroidStore): string =>
    store.buy(productId, { quantity })

const SUBMITTED_TOKENS: [name: string, buy: (store: AndroidStore) => string, turns: [day: number, turn: Turn][]][] = [
  ['SUBSCRIPTION_RENEWED', month, [[30, (store, token) => store.renew(token)]]],
  ['SUBSCRIPTION_CANCELED', month, [[3, (store, token) => store.cancel(token)]]],
  [
    'SUBSCRIPTION_RESTARTED',
    month,
    [
      [3, (store, token) => store.cancel(token)],
      [4, (store, token) => store.restart(token)],
    ],
  ],
  ['SUBSCRIPTION_IN_GRACE_PERIOD', month, [[31, (store, token) => store.failPayment(token)]]],
  ['SUBSCRIPTION_ON_HOLD', month, [[31, (store, token) => store.hold(token)]]],
  [
    'SUBSCRIPTION_RECOVERED',
    month,
    [
      [31, (store, token) => store.hold(token)],
      [33, (store, token) => store.renew(token)],
    ],
  ],
  ['SUBSCRIPTION_PAUSED', month, [[31, (store, token) => store.pause(token)]]],
  ['SUBSCRIPTION_DEFERRED', month, [[3, (store, token) => store.defer(token, 'P3D')]]],
  ['SUBSCRIPTION_EXPIRED', month, [[32, (store, token) => store.expire(token)]]],
  ['SUBSCRIPTION_REVOKED', month, [[3, (store, token) => store.revoke(token)]]],
  ['SUBSCRIPTION_PURCHASED that replaces', month, [[3, (store, token) => store.upgrade(token, ANDROID_YEARLY)]]],
  ['a voided subscription', month, [[3, (store, token) => store.refund(token)]]],
  ['a voided product', buy('lifetime.one'), [[3, (store, token) => store.refund(token)]]],
  ['voided coins', buy('coins.100', 2), [[3, (store, token) => store.refund(token)]]],
  ['voided units', buy('coins.100', 3), [[3, (store, token) => store.refundUnits(token, 1)]]],
]
const UNSEEN_TOKENS: [name: string, buy: (store: AndroidStore) => string][] = [
  ['SUBSCRIPTION_PURCHASED', (store) => store.subscribe(ANDROID_YEARLY)],
  ['ONE_TIME_PRODUCT_PURCHASED', buy('coins.100', 2)],
]

/** The id of the purchase here: its first order id, or the value that replaces the token. */
async function originalOf(token: string): Promise<string> {
  const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
  return rows.find(({ chainKey }) => chainKey === token)?.originalTransactionId ?? ''
}

describe('100 at once of a push of Google Play', () => {
  for (const [name, sell, turns] of SUBMITTED_TOKENS)
    test(
      name,
      async () => {
        const start = s.ctx.clock.now()
        const { store } = s.server
        const tokens = [sell(store), sell(store)]
        for (const token of tokens) await s.token(nobody(), token, productOf(token))
        for (const [index, [day, turn]] of turns.entries()) {
          await s.deliverAll()
          s.ctx.clock.set(start + day * DAY)
          if (index < turns.length - 1) for (const token of tokens) turn(store, token)
        }
        const [, last] = turns.at(-1) ?? []
        const pushes = []
        for (const token of tokens) {
          last?.(store, token)
          pushes.push(await s.pushes())
        }
        const [once = [], often = []] = pushes
        const ids = await Promise.all(tokens.map(originalOf))
        for (const push of once) expect((await s.deliver(push)).body.data).toEqual({ received: true, duplicate: false })
        for (const push of often) expectOneEffect(await many(() => s.deliver(push)))
        const single = await outcome(ids[0] ?? '')
        expect(await outcome(ids[1] ?? '')).toEqual(single)
        for (const push of often) expectRepeated(await s.deliver(push))
        expect(await outcome(ids[1] ?? '')).toEqual(single)
      },
      PATIENCE_MS,
    )
  for (const [name, sell] of UNSEEN_TOKENS)
    test(
      `${name}, which nobody has shown`,
      async () => {
        const tokens = [sell(s.server.store), sell(s.server.store)]
        const [once, often] = await s.pushes()
        if (!once || !often) throw new Error('two pushes wait')
        expect((await s.deliver(once)).status).toBe(200)
        expectOneEffect(await many(() => s.deliver(often)))
        const ids = await Promise.all(tokens.map(originalOf))
        expect(await outcome(ids[1] ?? '')).toEqual(await outcome(ids[0] ?? ''))
        expectRepeated(await s.deliver(often))
        expect(await outcome(ids[1] ?? '')).toEqual(await outcome(ids[0] ?? ''))
      },
      PATIENCE_MS,
    )
})

function productOf(token: string): string {
  const { subscriptions, products } = s.server.store
  return subscriptions.has(token) ? 'pro' : (products.get(token)?.resource.productLineItem?.[0]?.productId ?? '')
}

describe('100 at once of a receipt', () => {
  const payloads: [name: string, make: () => TransactionPayload][] = [
    ['a subscription', () => s.buy(YEARLY)],
    ['a trial', () => s.buy(MONTHLY, { withTrial: true })],
    ['a renewal', () => renew(s, s.buy(YEARLY), YEARLY)],
    ['coins', () => s.buy(COINS, { quantity: 3 })],
    ['a lifetime', () => s.buy(LIFETIME)],
    ['a family share', () => s.buy(YEARLY, { ownershipType: 'FAMILY_SHARED' })],
    ['what was refunded', () => refund(s, s.buy(YEARLY))],
  ]
  for (const [name, make] of payloads)
    test(
      `of the App Store: ${name}`,
      async () => {
        const [once, often] = [make(), make()]
        const [first, second] = [nobody(), nobody()]
        expect((await s.receipt(first, once)).status).toBe(200)
        await checkReceipts(() => s.receipt(second, often))
        expect(await outcome(often.originalTransactionId)).toEqual(await outcome(once.originalTransactionId))
      },
      PATIENCE_MS,
    )
  const tokens: [name: string, sell: (store: AndroidStore) => string[]][] = [
    ['a subscription', two((store) => store.subscribe(ANDROID_YEARLY))],
    ['a trial', two((store) => store.subscribe(ANDROID_MONTHLY, { withTrial: true }))],
    ['a change of plan', changed],
    ['coins', two(buy('coins.100', 3))],
    ['a lifetime', two(buy('lifetime.one'))],
  ]
  for (const [name, sell] of tokens)
    test(
      `of Google Play: ${name}`,
      async () => {
        const [once = '', often = ''] = sell(s.server.store)
        const [first, second] = [nobody(), nobody()]
        expect((await s.token(first, once, productOf(once))).status).toBe(200)
        await checkReceipts(() => s.token(second, often, productOf(often)))
        expect(await outcome(await originalOf(often))).toEqual(await outcome(await originalOf(once)))
      },
      PATIENCE_MS,
    )
})

const two =
  (sell: (store: AndroidStore) => string) =>
  (store: AndroidStore): string[] => [sell(store), sell(store)]

/** An hour after the purchases, and a minute before a device submits them. */
function changed(store: AndroidStore): string[] {
  const months = two(month)(store)
  s.ctx.clock.advance(HOUR)
  const years = months.map((token) => store.upgrade(token, ANDROID_YEARLY))
  s.ctx.clock.advance(MINUTE)
  return years
}

async function checkReceipts(post: () => Promise<Answer>): Promise<void> {
  const answers = await many(post)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  s.ctx.clock.advance(2 * MINUTE)
  const { body } = await post()
  for (const answer of answers) expect(answer.body).toEqual(body)
}
