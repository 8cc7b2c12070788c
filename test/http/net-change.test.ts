import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { access, eventTypes, money, rowOf } from '../support/facts'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const store = () => s.server.store
const post = async (token: string) => expect((await s.token('svc_ada', token, 'pro')).status).toBe(200)
const types = async () => eventTypes(s, (await rowOf(s, 'svc_ada')).id)
const accessTypes = async () => (await types()).filter((type) => type.startsWith('entitlement.'))

/** The next token, a few days later. */
function upgraded(token: string, plan = ANDROID_MONTHLY): string {
  s.ctx.clock.advance(3 * DAY)
  return store().upgrade(token, plan)
}

describe('purchases that replace one another and become known in one commit', () => {
  test('tell what the last gives, and no end of those that never gave anything', async () => {
    await post(upgraded(upgraded(store().subscribe(ANDROID_MONTHLY), ANDROID_YEARLY)))
    expect((await types()).toSorted()).toEqual([
      'entitlement.granted',
      'purchase.initial',
      'purchase.initial',
      'purchase.initial',
      'purchase.product_changed',
      'purchase.product_changed',
    ])
    expect((await money(s, (await rowOf(s, 'svc_ada')).id)).map(([kind]) => kind).toSorted()).toEqual([
      'INITIAL',
      'PRODUCT_CHANGE',
      'PRODUCT_CHANGE',
    ])
  })

  test('take nothing away that the first gave and the last gives', async () => {
    const first = store().subscribe(ANDROID_MONTHLY)
    await post(first)
    const second = upgraded(first)
    await post(upgraded(second))
    expect(await accessTypes()).toEqual(['entitlement.granted'])
    const ends = (await s.events((await rowOf(s, 'svc_ada')).id)).filter(({ type }) => type === 'purchase.expired')
    expect(ends.map(({ data }) => data)).toEqual([expect.objectContaining({ reason: 'REPLACED' })])
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })

  test('tell the end of the last, when it has ended too', async () => {
    const last = upgraded(store().subscribe(ANDROID_MONTHLY))
    store().cancel(last)
    s.ctx.clock.advance(40 * DAY)
    await s.token('svc_ada', last, 'pro')
    expect((await types()).filter((type) => type !== 'purchase.initial')).toEqual(['purchase.expired'])
  })
})

test('lines of one purchase are granted once for each access', async () => {
  const { products: p } = s.ctx.tables
  const sold = { androidId: 'coach', androidBasePlanId: 'yearly' }
  await s.ctx.write((tx) => tx.db.update(p).set(sold).where(eq(p.identifier, 'pro_yearly')))
  s.ctx.state.projects.forget(s.project.id)
  await post(store().subscribe(ANDROID_MONTHLY, { addons: [{ ...ANDROID_YEARLY, productId: 'coach' }] }))
  expect(Object.keys(await access(s, 'svc_ada')).toSorted()).toEqual(['coach', 'pro'])
  expect(await accessTypes()).toEqual(['entitlement.granted', 'entitlement.granted'])
})

test('a refund that makes its purchase known gives and takes no access', async () => {
  const token = store().subscribe(ANDROID_MONTHLY)
  await s.pushes() // The push of the purchase is lost.
  store().refund(token)
  const [push] = (await s.pushes()).filter(({ type }) => type.includes('VOIDED') || type.includes('voided'))
  if (!push) throw new Error('no push of a refund')
  expect((await s.deliver(push)).status).toBe(200)
  const [row] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  const told = await eventTypes(s, row?.id ?? '')
  expect(told).toContain('purchase.refunded')
  expect(told.filter((type) => type.startsWith('entitlement.'))).toEqual([])
})
