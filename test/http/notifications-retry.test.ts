import { afterEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { notificationCron } from '../../src/intake/catch-up/jobs'
import { listStoreEvents } from '../../src/intake/catch-up/replay'
import { RETRY_WAITS_MS, retryStoreEvents } from '../../src/intake/catch-up/retry'
import { takeIn } from '../../src/intake/inbox/inbox'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { ANDROID_MONTHLY, androidStage } from '../support/android'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { everything, money } from '../support/facts'
import { deliver, lastStoreEvent, notificationBody, purchaseOf } from '../support/notify'
import { paymentStage } from '../support/payment'

const open: Stage[] = []
const opened = async <Kind extends Stage>(making: Promise<Kind>): Promise<Kind> => {
  const s = await making
  open.push(s)
  return s
}
afterEach(async () => {
  for (const s of open.splice(0)) await s.close()
})

const rows = (s: Stage) => listStoreEvents(s.ctx, {}, 99)
const purchases = (s: Stage) => s.ctx.db.select().from(s.ctx.tables.purchases)

describe('a notification that failed while the store was away', () => {
  test('of Google is done by itself once the store is back, though nobody posts it again', async () => {
    const s = await opened(androidStage())
    s.server.store.subscribe(ANDROID_MONTHLY)
    const [push] = await s.pushes()
    if (!push) throw new Error('Google told nothing')
    await s.deliver({ ...push, body: '{}' }) // Loads Google's keys while the store works.
    s.server.faults = { status: 503 }
    expect((await s.deliver(push)).status).toBe(503)
    expect(await retryStoreEvents(s.ctx)).toBe(0) // It does not run before its time.
    s.ctx.clock.advance(MINUTE)
    expect(await retryStoreEvents(s.ctx)).toBe(1)
    expect(await rows(s)).toMatchObject([{ status: 'FAILED', attempts: 2 }])
    expect(await purchases(s)).toEqual([])

    s.server.faults = {}
    s.ctx.clock.advance(5 * MINUTE - 1)
    expect(await retryStoreEvents(s.ctx)).toBe(0)
    s.ctx.clock.advance(1)
    expect(await retryStoreEvents(s.ctx)).toBe(1)
    expect(await rows(s)).toMatchObject([{ status: 'PROCESSED', error: null, attempts: 3 }])
    expect(await purchases(s)).toMatchObject([{ status: 'ACTIVE' }])
    const after = await everything(s)
    expect((await s.deliver(push)).body.data).toEqual({ received: true, duplicate: true })
    s.ctx.clock.advance(HOUR)
    expect(await retryStoreEvents(s.ctx)).toBe(0)
    expect(await everything(s)).toEqual(after)
  })

  test('of the provider counts its money once, whoever is first', async () => {
    const s = await opened(paymentStage())
    const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
    subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: id } })
    s.server.faults = { ...NO_FAULTS, status: 500 }
    const deliveries = await s.deliveries()
    for (const delivery of deliveries) await s.deliver(delivery)
    s.server.faults = NO_FAULTS
    s.ctx.clock.advance(MINUTE)
    await Promise.all([retryStoreEvents(s.ctx), retryStoreEvents(s.ctx), ...deliveries.map((one) => s.deliver(one))])
    expect(await money(s, id)).toHaveLength(1)
    expect((await rows(s)).filter(({ status }) => status === 'FAILED')).toEqual([])
  })
})

test('a product that was missing is there at the next attempt', async () => {
  const s = await opened(stage())
  const one = s.buy({ ...MONTHLY, productId: 'com.x.pro.new' })
  await deliver(s, notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], one))
  expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED' })
  const { products: p } = s.ctx.tables
  const isMonthly = and(eq(p.projectId, s.project.id), eq(p.identifier, 'pro_monthly'))
  await s.ctx.write((tx) => tx.db.update(p).set({ iosId: 'com.x.pro.new' }).where(isMonthly))
  s.ctx.state.projects.forget(s.project.id)
  s.ctx.clock.advance(MINUTE)
  await retryStoreEvents(s.ctx)
  expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null })
  expect((await purchaseOf(s, one)).productId).not.toBeNull()
})

test('what a process held that died is done when its lease is over, and not before', async () => {
  const s = await opened(stage())
  const one = s.buy(MONTHLY)
  const body = JSON.stringify(notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], one, { id: 'n-dead' }))
  const arrival = { projectId: s.project.id, store: 'IOS_STORE' as const, notificationId: 'n-dead', type: 'T' }
  const { promise, resolve } = Promise.withResolvers<void>()
  void takeIn(s.ctx, { ...arrival, environment: null, eventAt: null, body }, () => {
    resolve()
    return new Promise(() => {})
  })
  await promise
  s.ctx.clock.advance(MINUTE)
  expect(await retryStoreEvents(s.ctx)).toBe(0)
  s.ctx.clock.advance(1)
  expect(await retryStoreEvents(s.ctx)).toBe(1)
  expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', attempts: 2 })
  expect((await purchaseOf(s, one)).status).toBe('ACTIVE')
})

test('one that always fails is left to people after the last wait', async () => {
  const s = await opened(stage())
  await deliver(s, notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy({ ...MONTHLY, productId: 'com.x.nobody' })))
  const before = await purchases(s)
  for (const wait of RETRY_WAITS_MS) {
    s.ctx.clock.advance(wait)
    expect(await retryStoreEvents(s.ctx)).toBe(1)
  }
  s.ctx.clock.advance(DAY)
  expect(await retryStoreEvents(s.ctx)).toBe(0)
  expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED', attempts: 1 + RETRY_WAITS_MS.length })
  expect(await purchases(s)).toEqual(before)
})

test('the clock asks for it every minute', () => {
  expect(notificationCron.map(({ name }) => name)).toContain('retry-store-events')
})
