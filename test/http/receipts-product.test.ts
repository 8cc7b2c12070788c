import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { expectRefused, lastEvent } from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

describe('the product', () => {
  test("is named by our identifier or by the store's", async () => {
    for (const [device, productId] of [
      ['svc_1', 'pro_monthly'],
      ['svc_2', MONTHLY.productId],
    ] as const) {
      const { status, body } = await s.receipt(device, s.buy(MONTHLY), { productId })
      expect([status, body.data.access.pro.productIdentifier]).toEqual([200, 'pro_monthly'])
    }
  })

  test('that nothing is called is 404 with its name, and nothing is written', async () => {
    for (const productId of ['pro', 'PRO_MONTHLY', ' pro_monthly', '__proto__', 'com.x.pro']) {
      const answer = await expectRefused(
        s,
        () => s.receipt('svc_ada', s.buy(MONTHLY), { productId }),
        404,
        'RECEIPT_PRODUCT_UNKNOWN',
      )
      expect(answer.body.error.details).toEqual({ productId })
    }
  })

  test('other than the one in the receipt is refused, and nothing is written', async () => {
    for (const productId of ['pro_yearly', YEARLY.productId, 'lifetime', 'coins_100'])
      await expectRefused(s, () => s.receipt('svc_ada', s.buy(MONTHLY), { productId }), 400, 'RECEIPT_INVALID')
  })

  test('in a receipt that the catalogue does not know unlocks nothing, whatever name is given', async () => {
    const stranger = { ...MONTHLY, productId: 'com.x.other' }
    await expectRefused(s, () => s.receipt('svc_ada', s.buy(stranger)), 404, 'RECEIPT_PRODUCT_UNKNOWN')
    await expectRefused(
      s,
      () => s.receipt('svc_ada', s.buy(stranger), { productId: 'pro_monthly' }),
      400,
      'RECEIPT_INVALID',
    )
  })

  test('without a store id is known at the store by its identifier', async () => {
    const { products: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ iosId: null }).where(eq(t.identifier, 'pro_monthly')))
    s.ctx.state.projects.forget(s.project.id)
    const plain = { ...MONTHLY, productId: 'pro_monthly' }
    expect((await s.receipt('svc_ada', s.buy(plain))).body.data.access).toHaveProperty('pro')
    await expectRefused(
      s,
      () => s.receipt('svc_ada', s.buy(MONTHLY), { productId: 'pro_monthly' }),
      400,
      'RECEIPT_INVALID',
    )
  })

  test("whose store id is another one's identifier is the one in the receipt", async () => {
    const { products: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ iosId: 'pro_monthly' }).where(eq(t.identifier, 'pro_yearly')))
    s.ctx.state.projects.forget(s.project.id)
    const { body } = await s.receipt('svc_ada', s.buy({ ...YEARLY, productId: 'pro_monthly' }))
    expect(body.data.access.pro.productIdentifier).toBe('pro_yearly')
    expect((await s.receipt('svc_bo', s.buy(MONTHLY), { productId: 'pro_monthly' })).body.data.access).toEqual({
      pro: expect.objectContaining({ productIdentifier: 'pro_monthly' }),
    })
  })

  test('that is upgraded from one without a store id is named by its id in the event', async () => {
    const { products: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ iosId: null }).where(eq(t.identifier, 'pro_monthly')))
    s.ctx.state.projects.forget(s.project.id)
    const month = s.buy({ ...MONTHLY, productId: 'pro_monthly' })
    await s.receipt('svc_ada', month)
    await s.receipt('svc_ada', s.buy(YEARLY, { previous: month }))
    const { catalog } = await s.ctx.state.projects.get(s.project.id)
    expect((await lastEvent(s, 'svc_ada', 'purchase.product_changed')).data).toMatchObject({
      fromProductId: catalog.productByIdentifier.get('pro_monthly')?.id,
      toProductId: catalog.productByIdentifier.get('pro_yearly')?.id,
    })
  })
})
