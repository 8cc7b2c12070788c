import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  changeSettings,
  damage,
  eventTypes,
  everything,
  identify,
  lastEvent,
  listenTo,
  refund,
  renew,
  rowOf,
} from '../support/facts'

let s: Stage
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await stage()
  newEvents = listenTo(s, 'svc_ada')
})
afterEach(() => s.close())

const sweep = () => sweepPurchases(s.ctx)
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)

/** Ada buys a month, and all events of it are read. */
async function adaBuys(options: Parameters<Stage['buy']>[1] = {}) {
  const payload = s.buy(MONTHLY, options)
  await s.receipt('svc_ada', payload)
  await newEvents()
  return payload
}

describe('an expiry', () => {
  test('is visible at once without the sweep, at the exact instant', async () => {
    const { expiresDate = 0 } = await adaBuys()
    s.ctx.clock.set(expiresDate - 1)
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    const before = await everything(s)
    s.ctx.clock.set(expiresDate)
    expect(await access(s, 'svc_ada')).toEqual({})
    expect((await s.get('/v1/me/entitlements', 'svc_ada')).body.data).toEqual({ entitlements: {} })
    expect((await s.get('/v1/me', 'svc_ada')).body.data.access).toEqual({})
    // Reading records nothing; only the sweep does.
    expect(await everything(s)).toEqual(before)
  })

  test('is told by the sweep once, with the instant at which it was', async () => {
    const { expiresDate = 0 } = await adaBuys()
    s.ctx.clock.set(expiresDate - 1)
    expect(await sweep()).toBe(0)
    expect(await newEvents()).toEqual([])
    s.ctx.clock.set(expiresDate + 30_000)
    expect(await sweep()).toBe(1)
    expect(await newEvents()).toEqual(['purchase.expired', 'entitlement.revoked'])
    const held = { pro: expect.objectContaining({ productIdentifier: 'pro_monthly' }) }
    const [purchase] = await purchases()
    const expired = await lastEvent(s, 'svc_ada', 'purchase.expired')
    expect(expired).toMatchObject({
      environment: 'SANDBOX',
      occurredAt: expiresDate,
      recordedAt: expiresDate + 30_000,
      cause: { kind: 'SWEEP', ref: null, store: null, detail: null },
      data: { reason: 'UNKNOWN', transaction: null },
      before: { purchase: { id: purchase?.id, status: 'ACTIVE' }, access: held },
      after: { purchase: { id: purchase?.id, status: 'EXPIRED' }, access: {} },
    })
    expect(await lastEvent(s, 'svc_ada', 'entitlement.revoked')).toMatchObject({
      cause: { kind: 'SWEEP' },
      data: { access: 'pro', purchaseId: purchase?.id },
    })
    expect(purchase).toMatchObject({ status: 'EXPIRED', sweepAt: null })
    expect((await rowOf(s, 'svc_ada')).toldAccess).toEqual({})
  })

  test('is told however long ago it was', async () => {
    await adaBuys()
    s.ctx.clock.advance(3000 * DAY)
    await sweep()
    expect(await newEvents()).toEqual(['purchase.expired', 'entitlement.revoked'])
  })

  test('is not told a second time, whenever the next sweep comes', async () => {
    await adaBuys()
    s.ctx.clock.advance(31 * DAY)
    await sweep()
    const before = await everything(s)
    expect(await sweep()).toBe(0)
    s.ctx.clock.advance(400 * DAY)
    expect(await sweep()).toBe(0)
    expect(await everything(s)).toEqual(before)
  })

  test('is told once by eight sweeps at once', async () => {
    for (let index = 0; index < 20; index++) await s.receipt(`svc_${index}`, s.buy(MONTHLY))
    s.ctx.clock.advance(31 * DAY)
    const counts = await Promise.all(Array.from({ length: 8 }, sweep))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
    for (let index = 0; index < 20; index++)
      expect(await eventTypes(s, (await rowOf(s, `svc_${index}`)).id)).toEqual([
        'purchase.initial',
        'entitlement.granted',
        'purchase.expired',
        'entitlement.revoked',
      ])
  })

  test("of a trial is told as the trial's", async () => {
    await adaBuys({ withTrial: true })
    s.ctx.clock.advance(7 * DAY)
    await sweep()
    expect(await newEvents()).toEqual(['purchase.expired', 'entitlement.revoked'])
    expect(await lastEvent(s, 'svc_ada', 'purchase.expired')).toMatchObject({
      before: { purchase: { status: 'TRIAL' } },
    })
  })

  test('of one purchase leaves the access that another gives', async () => {
    await adaBuys()
    await s.receipt('svc_ada', s.buy(YEARLY))
    await newEvents()
    s.ctx.clock.advance(31 * DAY)
    await sweep()
    expect(await newEvents()).toEqual(['purchase.expired'])
    expect(Object.keys(await access(s, 'svc_ada')).sort()).toEqual(['coach', 'pro'])
  })

  test('of a purchase that unlocked nothing revokes nothing', async () => {
    await changeSettings(s, { sandboxAccess: 'nobody' })
    await adaBuys()
    s.ctx.clock.advance(31 * DAY)
    await sweep()
    expect(await newEvents()).toEqual(['purchase.expired'])
  })
})

describe('a renewal', () => {
  test('that arrives before the sweep gives renewed, and no expired, then or later', async () => {
    const payload = await adaBuys()
    s.ctx.clock.set((payload.expiresDate ?? 0) + 5000)
    expect(await access(s, 'svc_ada')).toEqual({})
    const renewed = { ...renew(s, payload, MONTHLY), purchaseDate: payload.expiresDate ?? 0 }
    await s.receipt('svc_ada', renewed)
    expect(await newEvents()).toEqual(['purchase.renewed'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.renewed')).data).toMatchObject({ reactivation: false, late: false })
    expect(await sweep()).toBe(0)
    expect(await newEvents()).toEqual([])
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    s.ctx.clock.set(renewed.expiresDate ?? 0)
    await sweep()
    expect(await newEvents()).toEqual(['purchase.expired', 'entitlement.revoked'])
  })

  test('that arrives after the sweep is told as late, and grants again', async () => {
    const payload = await adaBuys()
    s.ctx.clock.set((payload.expiresDate ?? 0) + 60_000)
    await sweep()
    await newEvents()
    await s.receipt('svc_ada', { ...renew(s, payload, MONTHLY), purchaseDate: payload.expiresDate ?? 0 })
    expect(await newEvents()).toEqual(['purchase.renewed', 'entitlement.granted'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.renewed')).data).toMatchObject({ reactivation: true, late: true })
  })

  test('at the same moment as the sweep is told one way or the other, never both ways', async () => {
    for (let round = 0; round < 6; round++) {
      const device = `svc_${round}`
      const payload = s.buy(MONTHLY)
      await s.receipt(device, payload)
      s.ctx.clock.set((payload.expiresDate ?? 0) + 1)
      const renewed = { ...renew(s, payload, MONTHLY), purchaseDate: payload.expiresDate ?? 0 }
      await Promise.all([sweep(), s.receipt(device, renewed)])
      const types = (await eventTypes(s, (await rowOf(s, device)).id)).slice(2)
      const late = ['purchase.expired', 'entitlement.revoked', 'purchase.renewed', 'entitlement.granted']
      expect([['purchase.renewed'], late]).toContainEqual(types)
      expect(Object.keys(await access(s, device))).toEqual(['pro'])
    }
  })
})

describe('the sweep', () => {
  test('has nothing to do for what never ends, was refunded, or lives on', async () => {
    await s.receipt('svc_ada', s.buy(LIFETIME))
    const bought = s.buy(MONTHLY)
    await s.receipt('svc_bo', bought)
    await s.receipt('svc_bo', refund(s, bought))
    await s.receipt('svc_cy', s.buy(YEARLY))
    s.ctx.clock.advance(100 * DAY)
    const before = await everything(s)
    expect(await sweep()).toBe(0)
    expect(await everything(s)).toEqual(before)
  })

  test('tells the owner at the time, not the one at the purchase', async () => {
    const payload = await adaBuys()
    await s.receipt('svc_new', payload) // The purchase belongs to an anonymous subscriber, so it moves.
    await newEvents()
    const newcomerEvents = listenTo(s, 'svc_new')
    await newcomerEvents()
    s.ctx.clock.advance(31 * DAY)
    await sweep()
    expect(await newEvents()).toEqual([])
    expect(await newcomerEvents()).toEqual(['purchase.expired', 'entitlement.revoked'])
  })

  test('tells the survivor of a merge', async () => {
    await adaBuys()
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_new', 'ada')
    const newcomerEvents = listenTo(s, 'svc_new')
    await newcomerEvents()
    await newEvents()
    s.ctx.clock.advance(31 * DAY)
    await sweep()
    expect([await newEvents(), await newcomerEvents()]).toEqual([[], ['purchase.expired', 'entitlement.revoked']])
  })

  test('tells nobody of an erased subscriber, and is done with it', async () => {
    await adaBuys()
    await damage(s, (await rowOf(s, 'svc_ada')).id, { erasedAt: s.ctx.clock.now() })
    s.ctx.clock.advance(31 * DAY)
    await sweep()
    expect(await newEvents()).toEqual([])
    expect(await sweep()).toBe(0)
  })

  test('is done with the purchases of a project that is gone', async () => {
    await adaBuys()
    s.ctx.clock.advance(31 * DAY)
    const { projects: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.delete(t).where(eq(t.id, s.project.id)))
    s.ctx.state.projects.forget(s.project.id)
    expect(await sweep()).toBe(0)
    expect(await newEvents()).toEqual([])
    expect((await purchases())[0]?.sweepAt).toBeNull()
  })

  test('tells more than one batch, the oldest expiries first', async () => {
    await adaBuys()
    const [purchase] = await purchases()
    if (!purchase) throw new Error('no purchase')
    const owner = await rowOf(s, 'svc_ada')
    const name = (index: number) => String(index).padStart(26, '0')
    const copies = Array.from({ length: 1100 }, (_, index) => ({
      owner: { ...owner, id: `sub_${name(index)}`, deviceKey: `svc_${index}` },
      bought: {
        ...purchase,
        id: `pur_${name(index)}`,
        subscriberId: `sub_${name(index)}`,
        chainKey: `copy ${index}`,
        sweepAt: (purchase.sweepAt ?? 0) + (index % 7),
      },
    }))
    for (let start = 0; start < copies.length; start += 100)
      await s.ctx.write(async (tx) => {
        const some = copies.slice(start, start + 100)
        await tx.db.insert(tx.tables.subscribers).values(some.map((copy) => copy.owner))
        await tx.db.insert(tx.tables.purchases).values(some.map((copy) => copy.bought))
      })
    s.ctx.clock.advance(31 * DAY)
    expect(await sweep()).toBe(1101)
    const { events: t } = s.ctx.tables
    const expired = await s.ctx.db.select().from(t).where(eq(t.type, 'purchase.expired')).orderBy(t.position)
    expect(new Set(expired.map(({ subscriberId }) => subscriberId)).size).toBe(1101)
    // Eight are recorded at the same time, so at most seven that ended later can come before one.
    const instants = expired.map(({ occurredAt }) => occurredAt)
    const overtaking = instants.map((at, index) => instants.slice(0, index).filter((earlier) => earlier > at).length)
    expect(Math.max(...overtaking)).toBeLessThan(8)
  }, 600_000)
})
