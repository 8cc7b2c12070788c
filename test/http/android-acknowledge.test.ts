import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createRegistry } from '../../src/base/jobs/registry'
import { claim, runClaimed } from '../../src/base/jobs/run'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { androidAcknowledge } from '../../src/intake/android/acknowledge'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { changeSettings } from '../support/facts'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const registry = createRegistry([androidAcknowledge])
const jobs = () => s.ctx.db.select().from(s.ctx.tables.jobs)
const acknowledgements = () => s.server.requests.filter(({ path }) => path.endsWith(':acknowledge')).length
const isDone = (token: string) =>
  (s.server.store.subscriptions.get(token) ?? s.server.store.products.get(token))?.resource.acknowledgementState ===
  'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED'

async function work() {
  for (const row of await claim(s.ctx, registry, 10)) await runClaimed(s.ctx, androidAcknowledge, row)
}

test('a receipt is acknowledged after its commit, once', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  const coins = s.server.store.buy('coins.100')
  await s.token('svc_ada', token, 'pro')
  await s.token('svc_ada', coins, 'coins_100')
  expect([isDone(token), isDone(coins)]).toEqual([false, false])
  await work()
  expect([isDone(token), isDone(coins), acknowledgements()]).toEqual([true, true, 2])
  expect(await jobs()).toEqual([])
  s.ctx.clock.advance(HOUR)
  await s.token('svc_ada', token, 'pro')
  expect(await jobs()).toEqual([])
})

test('a purchase that a push has told of first is acknowledged once the device shows it, however soon', async () => {
  const first = s.server.store.subscribe(ANDROID_MONTHLY, { accountId: 'ada' })
  await s.token('svc_ada', first, 'pro')
  await work()
  await s.deliverAll()
  const coins = s.server.store.buy('coins.100', { accountId: 'ada' })
  await s.deliverAll()
  expect(await jobs()).toEqual([])
  const presentedContext = { placementId: 'onboarding' }
  expect((await s.token('svc_ada', coins, 'coins_100', { presentedContext })).status).toBe(200)
  await work()
  expect(isDone(coins)).toBe(true)
  const purchases = await s.ctx.db.select().from(s.ctx.tables.purchases)
  expect(purchases.find(({ chainKey }) => chainKey === coins)?.presentedContext).toEqual(presentedContext)
})

test('it is tried again while the store is away, for three days', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro')
  s.server.faults = { status: 503 }
  for (let tries = 0; tries < 20; tries++) {
    await work()
    s.ctx.clock.advance(HOUR)
  }
  expect((await jobs()).map(({ state }) => state)).toEqual(['WAITING'])
  s.server.faults = {}
  await work()
  expect(isDone(token)).toBe(true)
  expect(await jobs()).toEqual([])
})

test('what nobody can acknowledge any more is dropped, and said', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro')
  s.ctx.clock.advance(4 * DAY)
  await work()
  expect([acknowledgements(), (await jobs()).length]).toEqual([0, 0])
  expect(s.ctx.lines.some((line) => line.includes('not acknowledged in time'))).toBe(true)
  expect(s.ctx.lines.join('')).not.toContain(token)
})

test('nothing is acknowledged where the setting is off, now or when its job runs', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro')
  await changeSettings(s, { androidAcknowledge: false })
  await work()
  await s.token('svc_bo', s.server.store.subscribe(ANDROID_MONTHLY), 'pro')
  expect([acknowledgements(), (await jobs()).length]).toEqual([0, 0])
})

test('a refused receipt queues nothing', async () => {
  await s.token('svc_ada', s.server.store.subscribePending(ANDROID_MONTHLY), 'pro')
  expect(await jobs()).toEqual([])
})
