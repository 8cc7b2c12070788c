import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { subscribe } from '../../src/stores/simulator/payment-billing'
import { storeEvents } from '../support/notify'
import { type PaymentStage, paymentStage } from '../support/payment'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage()
})
afterEach(() => s.close())

describe('an event', () => {
  test('of a subscription gives its subscriber the purchase and access', async () => {
    const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
    subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: id } })
    const answers = await s.hear()
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await storeEvents(s)).map(({ status }) => status).sort()).toEqual(['IGNORED', 'PROCESSED', 'PROCESSED'])
    expect((await s.get('/v1/me/access', 'svc_ada')).body.data.access.pro).toMatchObject({
      expiresDate: '2026-12-20T08:00:00.000Z',
      store: 'PAYMENT',
      productIdentifier: 'pro_monthly',
    })
  })
})
