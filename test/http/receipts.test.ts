import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MONTHLY, type Stage, stage } from '../support/cast'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

test('a signed transaction becomes an entitlement', async () => {
  const bought = await s.receipt('svc_ada', s.buy(MONTHLY))
  expect(bought).toMatchObject({
    status: 200,
    body: {
      data: {
        subscriber: { appUserId: 'svc_ada' },
        access: {
          pro: {
            isActive: true,
            store: 'IOS_STORE',
            productIdentifier: 'pro_monthly',
            expiresDate: '2026-12-20T08:00:00.000Z',
          },
        },
        virtualCurrencyBalances: {},
      },
    },
  })
  const read = await s.get('/v1/me/entitlements', 'svc_ada')
  expect(read.body.data.entitlements).toEqual(bought.body.data.access)
  const events = await s.events(bought.body.data.subscriber.id)
  expect(events.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'purchase.initial'],
    [2, 'entitlement.granted'],
  ])
})
