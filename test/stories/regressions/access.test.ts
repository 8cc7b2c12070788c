import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../../src/base/lib/clock'
import { ANDROID_MONTHLY, type AndroidStage, aboutToken, androidStage } from '../../support/android'
import { MONTHLY } from '../../support/cast'
import { access, balances, everything, expectRefused, renew, rowOf } from '../../support/facts'
import { notify } from '../../support/notify'
import { SHOPS } from '../../support/shops'
import { deliverAll, expectSubmitted, on, sweep } from '../../support/story'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage() // It is 2026-11-20.
})
afterEach(() => s.close())

/** Access of a device by every route that returns it, as the names of the entitlements. */
async function heldBy(device: string): Promise<string[][]> {
  const me = await s.get('/v1/me', device)
  const entitlements = await s.get('/v1/me/entitlements', device)
  const { id } = await rowOf(s, device)
  const byServer = await s.call('GET', `/v1/subscribers/${id}/access`, { key: s.project.secretKey })
  const maps = [me.body.data.access, entitlements.body.data.entitlements, byServer.body.data.access]
  return [...maps, await access(s, device)].map((map) => Object.keys(map).sort())
}
const everywhere = (...names: string[]): string[][] => [names, names, names, names]

describe('paused purchase keeping access', () => {
  const paused = async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    on(s, '2026-12-20')
    s.server.store.pause(token)
    return token
  }
  test('Google Play tells of the pause', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await expectSubmitted(s.token('svc_ada', token, 'pro_monthly'))
    expect(await heldBy('svc_ada')).toEqual(everywhere('pro'))
    on(s, '2026-12-20')
    s.server.store.pause(token)
    await deliverAll(s)
    expect(await heldBy('svc_ada')).toEqual(everywhere())
    on(s, '2027-01-20')
    s.server.store.resume(token)
    await deliverAll(s)
    expect(await heldBy('svc_ada')).toEqual(everywhere('pro'))
  })
  test('Google Play tells of the pause while the paid period would still run', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await expectSubmitted(s.token('svc_ada', token, 'pro_monthly'))
    on(s, '2026-12-10')
    s.server.store.pause(token)
    await deliverAll(s)
    expect(await heldBy('svc_ada')).toEqual(everywhere())
    await sweep(s)
    expect((await s.token('svc_ada', token, 'pro_monthly')).body.data.access).toEqual({})
    const receipts = [{ store: 'ANDROID_STORE', receipt: token, productId: 'pro_monthly' }]
    const restored = await s.post('/v1/subscribers/svc_ada/restore', { receipts })
    expect(restored.body.data.access).toEqual({})
  })
  test('Google Play: first seen by a receipt, and again by a restore', async () => {
    const token = await paused()
    const { status, body } = await s.token('svc_ada', token, 'pro_monthly')
    expect([status, body.data.access]).toEqual([200, {}])
    on(s, '2026-12-21')
    const receipts = [{ store: 'ANDROID_STORE', receipt: token, productId: 'pro_monthly' }]
    const restored = await s.post('/v1/subscribers/svc_ada/restore', { receipts })
    expect([restored.status, restored.body.data.access]).toEqual([200, {}])
    expect(await heldBy('svc_ada')).toEqual(everywhere())
  })
  test('Google Play: a pause of which only the old receipt is known ends with the paid period', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await expectSubmitted(s.token('svc_ada', token, 'pro_monthly'))
    on(s, '2026-12-20')
    s.server.store.pause(token)
    await sweep(s)
    expect(await heldBy('svc_ada')).toEqual(everywhere())
  })
})

describe('on-hold granting access', () => {
  for (const shop of SHOPS) {
    test(`${shop.name} tells of the hold`, async () => {
      const bought = await shop.buy(s, 'pro_monthly')
      await expectSubmitted(bought.show('svc_ada'))
      on(s, '2026-12-20')
      await bought.hold()
      expect(await heldBy('svc_ada')).toEqual(everywhere())
      s.ctx.clock.advance(2 * DAY)
      await sweep(s)
      expect((await bought.show('svc_ada')).body.data.access).toEqual({})
      await bought.repeat()
      expect(await heldBy('svc_ada')).toEqual(everywhere())
      await bought.renew()
      expect(await heldBy('svc_ada')).toEqual(everywhere('pro'))
    })
    test(`${shop.name}: after a grace period`, async () => {
      const bought = await shop.buy(s, 'pro_monthly')
      await expectSubmitted(bought.show('svc_ada'))
      on(s, '2026-12-20')
      await bought.failPayment()
      expect(await heldBy('svc_ada')).toEqual(everywhere('pro'))
      on(s, '2026-12-27')
      await bought.hold()
      expect(await heldBy('svc_ada')).toEqual(everywhere())
    })
    test(`${shop.name}: first seen on hold`, async () => {
      const bought = await shop.buy(s, 'pro_monthly', { isNotified: false })
      on(s, '2026-12-25')
      await bought.hold()
      expect((await bought.show('svc_ada')).body.data.access).toEqual({})
      expect(await heldBy('svc_ada')).toEqual(everywhere())
    })
  }
})

describe('pending purchase granting access', () => {
  const pending: [productId: string, buy: () => string][] = [
    ['pro_monthly', () => s.server.store.subscribePending(ANDROID_MONTHLY)],
    ['lifetime', () => s.server.store.buyPending('lifetime.one')],
    ['coins_100', () => s.server.store.buyPending('coins.100')],
  ]
  for (const [productId, buy] of pending)
    test(`Google Play, ${productId}`, async () => {
      await s.get('/v1/me', 'svc_ada')
      const token = buy()
      const show = () => s.token('svc_ada', token, productId)
      await expectRefused(s, show, 400, 'purchase_not_paid')
      const before = await everything(s)
      if (productId === 'pro_monthly') await expectSubmitted(s.deliver(await aboutToken(s, 4, token)))
      const receipts = [{ store: 'ANDROID_STORE', receipt: token, productId }]
      const { body } = await s.post('/v1/subscribers/svc_ada/restore', { receipts })
      expect(body.data.results).toMatchObject([{ status: 'FAILED', code: 'purchase_not_paid' }])
      expect(await everything(s)).toEqual(before)
      s.server.store.settle(token, false)
      await deliverAll(s)
      expect(await everything(s)).toEqual(before)
      expect([await heldBy('svc_ada'), await balances(s, 'svc_ada')]).toEqual([everywhere(), {}])
      expect(await s.ctx.db.select().from(s.ctx.tables.jobs)).toEqual([]) // There is nothing to acknowledge either.
    })
})

describe('grace denied because expiry passed', () => {
  for (const shop of SHOPS)
    test(`${shop.name} tells of the grace period, before or after the sweep has told the end`, async () => {
      for (const device of ['svc_swift', 'svc_late']) {
        on(s, '2026-11-20')
        const bought = await shop.buy(s, 'pro_monthly')
        await expectSubmitted(bought.show(device))
        on(s, '2026-12-21')
        expect(await heldBy(device)).toEqual(everywhere())
        if (device === 'svc_late') await sweep(s)
        await bought.failPayment()
        expect(await heldBy(device)).toEqual(everywhere('pro'))
        s.ctx.clock.advance(2 * DAY)
        const { body } = await bought.show(device)
        expect(Object.keys(body.data.access)).toEqual(['pro'])
        await sweep(s)
        await bought.repeat()
        expect(await heldBy(device)).toEqual(everywhere('pro'))
      }
    })
  test('Google Play: first seen in the grace period', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    on(s, '2026-12-22')
    s.server.store.failPayment(token)
    const { body } = await s.token('svc_ada', token, 'pro_monthly')
    expect(body.data.access.pro.expiresDate).toBe('2026-12-27T08:00:00.000Z')
    expect(await heldBy('svc_ada')).toEqual(everywhere('pro'))
  })
  test('App Store: first seen in the grace period, of a renewal that we never heard of', async () => {
    const bought = s.buy(MONTHLY)
    on(s, '2026-12-20')
    const second = renew(s, bought, MONTHLY)
    on(s, '2027-01-25')
    await expectSubmitted(notify(s, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'], second))
    await expectSubmitted(s.receipt('svc_ada', bought)) // The device has only the receipt of the first month.
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2027-02-05T08:00:00.000Z' })
  })
})
