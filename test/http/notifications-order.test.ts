import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { canonicalJson } from '../../src/base/lib/hash'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { type Answer, COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { access, balances, eventTypes, money, refund, renew, rowOf } from '../support/facts'
import { deliver, notificationBody, notify, purchaseOf, storeEvents } from '../support/notify'
import { someOrders } from '../support/permutations'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const BOUGHT = ['SUBSCRIBED', 'INITIAL_BUY'] as const

describe('receipt and notification of one charge', () => {
  const orders: [string, (one: TransactionPayload) => Promise<Answer[]>][] = [
    ['receipt first', async (one) => [await s.receipt('svc_bo', one), await notify(s, BOUGHT, one)]],
    ['notification first', async (one) => [await notify(s, BOUGHT, one), await s.receipt('svc_bo', one)]],
    ['both at once', async (one) => Promise.all([s.receipt('svc_bo', one), notify(s, BOUGHT, one)])],
    ['both at once, the other way', async (one) => Promise.all([notify(s, BOUGHT, one), s.receipt('svc_bo', one)])],
  ]
  for (const [name, post] of orders)
    test(`${name}: one purchase, one owner, one charge`, async () => {
      const one = s.buy(MONTHLY)
      expect((await post(one)).map(({ status }) => status)).toEqual([200, 200])
      const bo = await rowOf(s, 'svc_bo')
      expect((await purchaseOf(s, one)).subscriberId).toBe(bo.id)
      expect(await money(s, bo.id)).toEqual([['INITIAL', 9990000]])
      expect(Object.keys(await access(s, 'svc_bo'))).toEqual(['pro'])
      const all = (await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)).map(
        ({ type }) => type,
      )
      expect(all.filter((type) => type === 'purchase.initial')).toHaveLength(1)
    })

  test('of coins: granted once, whichever came first', async () => {
    for (const [index, device] of ['svc_a', 'svc_b', 'svc_c'].entries()) {
      const one = s.buy(COINS)
      const posts = [() => s.receipt(device, one), () => notify(s, ['ONE_TIME_CHARGE', null], one)]
      if (index === 2) await Promise.all(posts.map((post) => post()))
      else for (const post of index === 0 ? posts : posts.toReversed()) await post()
      expect(await balances(s, device)).toEqual({ coins: 100 })
    }
  })

  test('of a prorated refund: both tell the same amount, in either order', async () => {
    const part = { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 }
    for (const first of ['receipt', 'notification']) {
      const device = `svc_${first}`
      const one = s.buy(MONTHLY)
      await s.receipt(device, one)
      s.ctx.clock.advance(DAY)
      const back = { ...refund(s, one), ...part }
      const posts = [() => s.receipt(device, back), () => notify(s, ['REFUND', null], back)]
      for (const post of first === 'receipt' ? posts : posts.toReversed()) expect((await post()).status).toBe(200)
      const lines = await money(s, (await rowOf(s, device)).id)
      expect(lines).toEqual([
        ['INITIAL', 9990000],
        ['REFUND', -4995000],
      ])
    }
  })
})

test('a refund and a revocation of one charge are one negative line, in either order', async () => {
  for (const kinds of [
    ['REFUND', 'REVOKE'],
    ['REVOKE', 'REFUND'],
  ]) {
    const one = s.buy(LIFETIME)
    const device = `svc_${kinds.join('_')}`
    await s.receipt(device, one)
    s.ctx.clock.advance(DAY)
    const back = refund(s, one)
    for (const kind of kinds) expect((await notify(s, [kind, null], back)).status).toBe(200)
    expect(await money(s, (await rowOf(s, device)).id)).toEqual([
      ['NON_RENEWING_PURCHASE', 199990000],
      ['REFUND', -199990000],
    ])
    expect((await purchaseOf(s, one)).status).toBe('REVOKED')
  }
})

test('a change to a product that the catalogue lacks gives nothing, whichever of the two is heard of first', async () => {
  for (const isReversed of [false, true]) {
    const one = s.buy(MONTHLY)
    const other = s.buy({ ...YEARLY, productId: 'com.x.pro.unheard' }, { previous: one })
    const deliveries = [() => notify(s, BOUGHT, one), () => notify(s, ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], other)]
    for (const telling of isReversed ? deliveries.toReversed() : deliveries) await telling()
    const { productId, subscriberId } = await purchaseOf(s, one)
    const owners = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    const owner = owners.find(({ id }) => id === subscriberId)
    expect([isReversed, productId, owner?.toldAccess]).toEqual([isReversed, null, {}])
  }
})

test('100 simultaneous duplicates have one effect, and none is a 5xx', async () => {
  const body = notificationBody(s, ['ONE_TIME_CHARGE', null], s.buy(COINS))
  const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(s, body)))
  const names = answers.map(({ status, body: told }) => `${status} ${told.data?.duplicate ?? told.error.code}`)
  expect(names.filter((name) => name === '200 false')).toHaveLength(1)
  expect(names.filter((name) => !['200 false', '200 true', '409 WEBHOOK_IN_PROGRESS'].includes(name))).toEqual([])
  for (const { status, headers } of answers) if (status === 409) expect(headers.get('retry-after')).toBe('5')
  const [row, ...others] = await storeEvents(s)
  expect([row?.status, row?.attempts, others]).toEqual(['PROCESSED', 1, []])
  const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
  expect(await eventTypes(s, purchase?.subscriberId ?? '')).toEqual(['purchase.non_renewing', 'currency.transaction'])
  expect((await deliver(s, body)).body.data.duplicate).toBe(true)
})

test('50 notifications of one chain at once are all applied', async () => {
  const one = s.buy(MONTHLY)
  await s.receipt('svc_bo', one)
  const bodies = Array.from({ length: 50 }, (_, n) => {
    s.ctx.clock.advance(1)
    return notificationBody(
      s,
      ['DID_CHANGE_RENEWAL_STATUS', n % 2 === 0 ? 'AUTO_RENEW_DISABLED' : 'AUTO_RENEW_ENABLED'],
      one,
    )
  })
  const answers = await Promise.all(bodies.map((body) => deliver(s, body)))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect((await purchaseOf(s, one)).fold.autoRenews).toBe(true)
  await eventTypes(s, (await rowOf(s, 'svc_bo')).id) // Expects that the numbers of the events have no gap.
})

/** Everything that must not depend on the order of arrival: without ids and times of writing. */
async function outcome(): Promise<string> {
  const { purchases, transactions, subscribers } = s.ctx.tables
  const plain = (rows: object[]) =>
    rows
      .map((row) => Object.entries(row).filter(([name]) => !/^(id|.*Id|createdAt|updatedAt)$/.test(name)))
      .map((entries) => canonicalJson(Object.fromEntries(entries)))
      .sort()
  const published = (await s.ctx.db.select().from(subscribers)).map(({ toldAccess }) => ({ toldAccess }))
  return canonicalJson([
    plain(await s.ctx.db.select().from(purchases)),
    plain(await s.ctx.db.select().from(transactions)),
    plain(published),
  ])
}

test('a life of five notifications ends the same in any order, each delivered twice', async () => {
  const start = s.ctx.clock.now()
  const at = (day: number) => s.ctx.clock.set(start + day * DAY)
  const one = s.buy(MONTHLY, { withTrial: true })
  const bodies = [notificationBody(s, BOUGHT, one)]
  at(6)
  const second = renew(s, one, MONTHLY)
  bodies.push(notificationBody(s, ['DID_RENEW', null], second))
  at(10)
  bodies.push(notificationBody(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], second))
  at(12)
  bodies.push(notificationBody(s, ['REFUND', null], refund(s, second)))
  at(14)
  bodies.push(notificationBody(s, ['REFUND_REVERSED', null], second, { renewal: { autoRenewStatus: 0 } }))
  at(15)
  const outcomes = new Set<string>()
  const { purchases, observations, transactions, subscribers, events, storeEvents: inbox } = s.ctx.tables
  for (const order of someOrders(bodies, 7)) {
    for (const body of order) expect((await deliver(s, body)).body.data).toEqual({ received: true, duplicate: false })
    for (const body of order) expect((await deliver(s, body)).body.data).toEqual({ received: true, duplicate: true })
    outcomes.add(await outcome())
    await s.ctx.write(async (tx) => {
      for (const table of [purchases, observations, transactions, subscribers, events, inbox]) await tx.db.delete(table)
    })
  }
  expect([...outcomes]).toHaveLength(1)
  expect([...outcomes][0]).toContain('TRIAL_CONVERSION')
}, 600_000)
