import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { refreshAndroidPurchase } from '../../src/intake/android/refresh'
import { causeOf } from '../../src/people/events/model'
import type { SimulatedPlan } from '../../src/test-store/stores/android'
import { aboutVoided, pushBody } from '../../src/test-store/stores/android-push'
import { ANDROID_MONTHLY, type AndroidStage, androidStage, PACKAGE } from '../support/android'
import { access, everything, money, rowOf } from '../support/facts'

// Google reports what was returned of an order in its history, and never which of its products a partial refund is for.

const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })
const PRO = 9_990_000
const ADDON = 4_990_000
const COACH: SimulatedPlan = { productId: 'coach', basePlanId: 'monthly', period: 'P1M', price: usd(ADDON) }

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
  const { products: p } = s.ctx.tables
  const sold = { androidId: 'coach', androidBasePlanId: 'monthly' }
  await s.ctx.write((tx) => tx.db.update(p).set(sold).where(eq(p.identifier, 'pro_yearly')))
  s.ctx.state.projects.forget(s.project.id)
})
afterEach(() => s.close())

const store = () => s.server.store
const ada = async () => (await rowOf(s, 'svc_ada')).id
const names = async () => Object.keys(await access(s, 'svc_ada')).sort()
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
const orderOf = (token: string) =>
  store().subscriptions.get(token)?.orderId ?? store().products.get(token)?.resource.orderId ?? ''
/** What was returned of each store product, ascending. */
const returned = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.transactions))
    .filter(({ kind }) => kind === 'REFUND' || kind === 'CHARGEBACK')
    .map(({ storeProductId, amountMicros }) => [storeProductId?.split(':')[0], amountMicros])
    .sort()
const kinds = async () => (await money(s, await ada())).map(([kind]) => kind).sort()

/** What the reconciler does with a purchase that is due. */
async function refresh(token: string): Promise<void> {
  const row = (await purchases()).find(({ chainKey }) => chainKey === token)
  const project = await s.ctx.state.projects.get(s.project.id)
  if (row) await refreshAndroidPurchase(s.ctx, project, row, causeOf('RECONCILE', null, 'ANDROID_STORE', 'test'))
}

async function both(): Promise<string> {
  const token = store().subscribe(ANDROID_MONTHLY, { addons: [COACH] })
  await s.token('svc_ada', token, 'pro_monthly')
  await s.deliverAll()
  s.ctx.clock.advance(2 * DAY)
  return token
}

describe('a refund of one product of a subscription', () => {
  test('concerns that line: its money and its access, and the other goes on', async () => {
    const token = await both()
    store().refundItem(token, 'coach', usd(ADDON))
    await s.deliverAll()
    expect([await returned(), await names()]).toEqual([[['coach', -ADDON]], ['pro']])
    const states = (await purchases()).map(({ lineKey, status }) => [lineKey, status]).sort()
    expect(states).toEqual([
      ['coach', 'REFUNDED'],
      ['pro', 'ACTIVE'],
    ])
  })

  test('that nobody told is found when the purchase is fetched again, once, however often and by whom', async () => {
    const token = await both()
    store().refundItem(token, 'coach', usd(ADDON))
    await s.pushes() // They are lost.
    await Promise.all([refresh(token), refresh(token)])
    expect([await returned(), await names()]).toEqual([[['coach', -ADDON]], ['pro']])
    const before = (await everything(s)).length
    s.ctx.clock.advance(2 * MINUTE)
    await refresh(token)
    await s.token('svc_ada', token, 'pro_monthly')
    expect([await returned(), (await everything(s)).length]).toEqual([[['coach', -ADDON]], before])
  })

  test('happened before the first receipt: only what is left is recorded, and nothing of it is refunded', async () => {
    const token = store().subscribe(ANDROID_MONTHLY, { addons: [COACH] })
    s.ctx.clock.advance(DAY)
    store().refundItem(token, 'coach', usd(ADDON))
    await s.token('svc_ada', token, 'pro_monthly')
    expect([await money(s, await ada()), await returned(), await names()]).toEqual([[['INITIAL', PRO]], [], ['pro']])
  })
})

describe('a partial refund that names no product', () => {
  test('is divided in proportion to what the products cost, to the last micro, and ends no access', async () => {
    const token = await both()
    store().refundPart(orderOf(token), usd(5_000_001))
    await refresh(token)
    await refresh(token)
    const shares = await returned()
    expect(shares).toEqual([
      ['coach', -1_665_554],
      ['pro', -3_334_447],
    ])
    expect(await names()).toEqual(['coach', 'pro'])
  })

  test('of the amount of a product that goes on is divided too', async () => {
    const token = await both()
    store().refundPart(orderOf(token), usd(ADDON))
    await refresh(token)
    expect((await returned()).map(([product]) => product)).toEqual(['coach', 'pro'])
    expect(await names()).toEqual(['coach', 'pro'])
  })

  test('is not counted while it is pending, nor twice when the rest follows as a refund of the whole order', async () => {
    const token = await both()
    store().refundPart(orderOf(token), usd(1_000_000), true)
    await refresh(token)
    expect(await returned()).toEqual([])
    store().refundPart(orderOf(token), usd(3_000_000))
    await refresh(token)
    store().refund(token)
    await s.deliverAll()
    await refresh(token)
    await s.deliverAll()
    const sums = Map.groupBy(await returned(), ([product]) => product)
    const sumOf = (product: string) => sums.get(product)?.reduce((sum, [, micros]) => sum + Number(micros), 0)
    expect([sumOf('pro'), sumOf('coach'), await names()]).toEqual([-PRO, -ADDON, []])
  })

  test('of an order with one product is all of that product', async () => {
    const token = store().subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro_monthly')
    for (const amount of [2_000_000, 3_000_000]) {
      s.ctx.clock.advance(DAY)
      store().refundPart(orderOf(token), usd(amount))
    }
    await refresh(token)
    expect(await returned()).toEqual([
      ['pro', -2_000_000],
      ['pro', -3_000_000],
    ])
    expect(await names()).toEqual(['pro'])
  })

  test('is not counted without the permission to see orders', async () => {
    const token = await both()
    store().refundPart(orderOf(token), usd(2_000_000))
    s.server.faults.orderStatus = 403
    await refresh(token)
    expect([await returned(), await names()]).toEqual([[], ['coach', 'pro']])
  })
})

describe('a refund of the rest of the period', () => {
  const half = async () => {
    const token = await both()
    s.ctx.clock.advance(14 * DAY)
    return token
  }

  test('ends each product, returns that part of each and no more, whoever tells it first and however often', async () => {
    const rows: unknown[] = []
    for (const isNotifiedFirst of [true, false]) {
      const token = await half()
      const at = (await returned()).length
      expect(store().refundRest(token)).toBe(true)
      const steps = [() => s.deliverAll(), () => refresh(token)]
      for (const step of isNotifiedFirst ? steps : steps.reverse()) await step()
      await refresh(token)
      rows.push((await returned()).length - at)
      expect(await names()).toEqual([])
      expect(store().refundRest(token)).toBe(false)
    }
    expect(rows).toEqual([2, 2])
    for (const [product, micros] of await returned()) {
      const whole = product === 'pro' ? PRO : ADDON
      expect([product, Number(micros) < -0.45 * whole, Number(micros) > -0.55 * whole]).toEqual([product, true, true])
    }
  })

  test('is counted as one of the whole price where Google does not tell orders', async () => {
    const token = await half()
    s.server.faults.orderStatus = 403
    store().refundRest(token)
    await s.deliverAll()
    expect([await returned(), await names()]).toEqual([
      [
        ['coach', -ADDON],
        ['pro', -PRO],
      ],
      [],
    ])
  })
})

describe('a refund of the whole order', () => {
  test('whose notification was lost concerns each line, and the notification that comes late is a duplicate', async () => {
    const token = await both()
    expect(store().refundOrder(orderOf(token), false)).toBe(true) // Google sends nothing of it.
    await refresh(token)
    const all = [
      ['coach', -ADDON],
      ['pro', -PRO],
    ]
    expect([await returned(), await names()]).toEqual([all, []])
    const now = s.ctx.clock.now()
    const voided = aboutVoided({ token, orderId: orderOf(token), productType: 1, refundType: 1 })
    const authorization = `Bearer ${await s.server.pushToken(s.identity)}`
    const late = { messageId: 'v', type: 'VOIDED', body: pushBody(PACKAGE, voided, { messageId: 'v', now }) }
    expect((await s.deliver({ ...late, authorization })).status).toBe(200)
    await refresh(token)
    expect(await returned()).toEqual(all)
  })

  test('ends the same, whether the notification or the order came first', async () => {
    const rows: unknown[] = []
    for (const isNotifiedFirst of [true, false]) {
      const token = await both()
      const at = (await returned()).length
      store().refund(token)
      const steps = [() => s.deliverAll(), () => refresh(token)]
      for (const step of isNotifiedFirst ? steps : steps.reverse()) await step()
      await s.deliverAll()
      rows.push((await returned()).length - at)
    }
    expect(rows).toEqual([2, 2])
    const lines = await s.ctx.db.select().from(s.ctx.tables.transactions)
    const refunds = lines.filter(({ kind }) => kind === 'REFUND')
    expect(new Set(refunds.map(({ occurredAt, purchaseId }) => `${occurredAt} ${purchaseId}`)).size).toBe(4)
    expect(await names()).toEqual([])
  })

  test('by the bank is a chargeback', async () => {
    const token = await both()
    store().refund(token, 7)
    await refresh(token)
    expect((await kinds()).filter((kind) => kind === 'CHARGEBACK')).toHaveLength(2)
  })
})

describe('a one-time order of two products', () => {
  const cart = async () => {
    const token = store().buy('coins.100', { others: ['lifetime.one'], quantity: 4 })
    store().charge(orderOf(token), 'coins.100', usd(8_000_000))
    store().charge(orderOf(token), 'lifetime.one', usd(48_000_000))
    await s.token('svc_ada', token, 'lifetime')
    await s.deliverAll()
    s.ctx.clock.advance(DAY)
    return token
  }

  test('divides a part of its money', async () => {
    const token = await cart()
    store().refundPart(orderOf(token), usd(7_000_000))
    await refresh(token)
    await refresh(token)
    expect(await returned()).toEqual([
      ['coins.100', -1_000_000],
      ['lifetime.one', -6_000_000],
    ])
  })

  test('knows refunded units by the line, also when their notification was lost, and counts them once', async () => {
    const token = await cart()
    store().refundUnits(token, 1)
    store().refundPart(orderOf(token), usd(2_000_000)) // The order has the same refund in its history.
    await refresh(token)
    expect(await returned()).toEqual([['coins.100', -2_000_000]])
    await s.deliverAll()
    await refresh(token)
    expect(await returned()).toEqual([['coins.100', -2_000_000]])
  })
})
