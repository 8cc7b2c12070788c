import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import type { SimulatedPlan } from '../../src/test-store/stores/android'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { access, balances, eventTypes, money, rowOf } from '../support/facts'

const COACH: SimulatedPlan = {
  productId: 'coach',
  basePlanId: 'monthly',
  period: 'P1M',
  price: { amountMicros: 4_990_000, currency: 'USD' },
}
const UNSOLD: SimulatedPlan = { ...COACH, productId: 'unsold' }

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
const lines = async () => {
  const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
  return rows.map(({ chainKey, lineKey, status }) => [chainKey, lineKey, status]).sort()
}
const ada = async () => (await rowOf(s, 'svc_ada')).id
const names = async () => Object.keys(await access(s, 'svc_ada')).sort()

describe('a subscription with an add-on', () => {
  test('is one purchase for each product, whichever is posted, and posting the other takes nothing', async () => {
    const token = store().subscribe(ANDROID_MONTHLY, { addons: [COACH] })
    expect((await s.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
    const told = async () => ({ names: await names(), lines: await lines(), types: await eventTypes(s, await ada()) })
    const first = await told()
    expect(first).toMatchObject({
      names: ['coach', 'pro'],
      lines: [
        [token, 'coach', 'ACTIVE'],
        [token, 'pro', 'ACTIVE'],
      ],
    })
    s.ctx.clock.advance(2 * MINUTE)
    expect((await s.token('svc_ada', token, 'coach')).status).toBe(200)
    await s.deliverAll()
    expect(await told()).toEqual(first)
    expect(await money(s, await ada())).toEqual([
      ['INITIAL', 4_990_000],
      ['INITIAL', 9_990_000],
    ])
  })

  test('comes to the same when its pushes arrive first and twice, and both are posted at once', async () => {
    const token = store().subscribe(ANDROID_MONTHLY, { addons: [COACH] })
    const pushes = await s.pushes()
    for (const push of [...pushes, ...pushes]) expect((await s.deliver(push)).status).toBe(200)
    const both = await Promise.all(['pro_monthly', 'coach'].map((name) => s.token('svc_ada', token, name)))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await names()).toEqual(['coach', 'pro'])
    expect(await money(s, await ada())).toHaveLength(2)
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })

  test('that has an unknown product first gives what it sells', async () => {
    const token = store().subscribe(UNSOLD, { addons: [ANDROID_MONTHLY] })
    expect((await s.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
    expect(await names()).toEqual(['pro'])
    expect((await s.token('svc_ada', token, 'coach')).body.error.code).toBe('RECEIPT_INVALID')
    expect((await s.token('svc_ada', token, 'nothing')).body.error.code).toBe('RECEIPT_PRODUCT_UNKNOWN')
    expect(await names()).toEqual(['pro'])
  })

  test('is renewed by one order, and refunded whole by it', async () => {
    const token = store().subscribe(ANDROID_MONTHLY, { addons: [COACH] })
    await s.token('svc_ada', token, 'pro_monthly')
    s.ctx.clock.advance(30 * DAY)
    store().renew(token)
    await s.deliverAll()
    const kinds = (await money(s, await ada())).map(([kind]) => kind).sort()
    expect(kinds).toEqual(['INITIAL', 'INITIAL', 'RENEWAL', 'RENEWAL'])
    store().refund(token)
    await s.deliverAll()
    await s.deliverAll()
    expect(await names()).toEqual([])
    const back = (await money(s, await ada())).filter(([kind]) => kind === 'REFUND')
    expect(back.map(([, micros]) => micros).sort()).toEqual([-4_990_000, -9_990_000])
  })
})

test('an add-on that is bought later begins a line, and the base goes on', async () => {
  const token = store().subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro_monthly')
  s.ctx.clock.advance(5 * DAY)
  store().addItem(token, COACH)
  await s.deliverAll()
  expect(await names()).toEqual(['coach', 'pro'])
  const types = await eventTypes(s, await ada())
  expect(types.filter((type) => type === 'purchase.initial')).toHaveLength(2)
  expect(types).not.toContain('entitlement.revoked')
  expect(types).not.toContain('purchase.product_changed')
})

test('a removed add-on stays until the end of what is paid, and then only it ends', async () => {
  const token = store().subscribe(ANDROID_MONTHLY, { addons: [COACH] })
  await s.token('svc_ada', token, 'pro_monthly')
  store().removeItem(token, 'coach')
  await s.deliverAll()
  expect(await names()).toEqual(['coach', 'pro'])
  expect(await eventTypes(s, await ada())).toContain('purchase.cancelled')
  s.ctx.clock.advance(30 * DAY)
  store().renew(token)
  await s.deliverAll()
  expect(await names()).toEqual(['pro'])
})

test('an announced product is pending, has no line, and comes in the place of the other', async () => {
  const token = store().subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro_monthly')
  store().deferItem(token, 'pro', COACH)
  await s.deliverAll()
  expect(await lines()).toEqual([[token, 'pro', 'ACTIVE']])
  const [row] = await s.ctx.db.select().from(s.ctx.tables.purchases)
  expect(row?.fold.pendingStoreProductId).toBe('coach:monthly')
  s.ctx.clock.advance(30 * DAY)
  store().renew(token)
  await s.deliverAll()
  expect(await lines()).toEqual([[token, 'coach', 'ACTIVE']])
  expect(await eventTypes(s, await ada())).toContain('purchase.product_changed')
  expect(await names()).toEqual(['coach', 'pro'])
})

test('a change of plan ends both lines, and what is kept is no new purchase', async () => {
  const token = store().subscribe(ANDROID_MONTHLY, { addons: [COACH] })
  await s.token('svc_ada', token, 'pro_monthly')
  s.ctx.clock.advance(DAY)
  const next = store().upgrade(token, { ...ANDROID_MONTHLY, productId: 'unsold' }, { addons: [COACH] })
  await s.deliverAll()
  const [old, fresh] = [
    (await lines()).filter(([chain]) => chain === token),
    (await lines()).filter(([chain]) => chain === next),
  ]
  expect(old.map(([, , status]) => status)).toEqual(['EXPIRED', 'EXPIRED'])
  expect(fresh).toEqual([
    [next, 'coach', 'ACTIVE'],
    [next, 'unsold', 'ACTIVE'],
  ])
  expect(await names()).toEqual(['coach', 'pro'])
  const kinds = (await money(s, await ada())).map(([kind]) => kind).sort()
  expect(kinds).toEqual(['INITIAL', 'INITIAL', 'PRODUCT_CHANGE', 'RENEWAL'])
})

describe('an order of several products', () => {
  test('gives each of them, and returns units of one of them', async () => {
    const token = store().buy('coins.100', { quantity: 2, others: ['lifetime.one'] })
    expect((await s.token('svc_ada', token, 'lifetime')).status).toBe(200)
    expect(await names()).toEqual(['pro'])
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 200 })
    store().refundUnits(token, 1, 'lifetime.one')
    await s.deliverAll()
    expect(await names()).toEqual([])
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 200 })
  })

  test('that is refunded takes each of them back', async () => {
    const token = store().buy('coins.100', { others: ['lifetime.one'] })
    await s.token('svc_ada', token, 'coins_100')
    store().refund(token)
    await s.deliverAll()
    expect(await lines()).toEqual([
      [token, 'coins.100', 'REFUNDED'],
      [token, 'lifetime.one', 'REFUNDED'],
    ])
    expect(await names()).toEqual([])
  })
})
