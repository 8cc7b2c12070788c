import { afterEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { reconcile } from '../../src/intake/reconcile/run'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { type IosApiStage, iosApiStage, storeSays } from '../support/app-store'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { deliver, notificationBody, notify } from '../support/notify'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function open<Opened extends Stage>(opening: Promise<Opened>): Promise<Opened> {
  const s = await opening
  opened.push(s)
  return s
}

const health = async (s: Stage) => (await s.get('/health/stores', undefined, { key: null })).body
const UNASKED = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'].map((store) => ({ store, circuit: 'CLOSED', lastOkAt: null }))

/** The lines of a metric, without its help text. */
async function metric(s: Stage, name: string): Promise<string[]> {
  const text = await s.ctx.metrics.text()
  return text.split('\n').filter((line) => line.startsWith(name))
}

describe('GET /health/stores', () => {
  test('names every store before anybody has asked one, and asks none itself', async () => {
    const s = await open(iosApiStage())
    expect(await health(s)).toEqual({ stores: UNASKED })
    expect(s.api.requests).toEqual([])
    expect(await metric(s, 'svc_store_circuit_state')).toEqual([
      'svc_store_circuit_state{store="IOS_STORE"} 0',
      'svc_store_circuit_state{store="ANDROID_STORE"} 0',
      'svc_store_circuit_state{store="PAYMENT"} 0',
    ])
  })

  test('needs no key, is never limited and is not stored', async () => {
    const s = await open(stage({ env: { SVC_RATE_IP: '2' } }))
    for (let count = 0; count < 5; count++) {
      const { status, headers } = await s.get('/health/stores', undefined, { key: null })
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    }
  })

  test('tells of Google as it is: well, away, tried again, well', async () => {
    const s: AndroidStage = await open(androidStage())
    const google = async () => (await health(s)).stores.find((one: { store: string }) => one.store === 'ANDROID_STORE')
    const post = () => s.token('svc_ada', s.server.store.subscribe(ANDROID_MONTHLY), 'pro_monthly')
    await post()
    const okAt = toIso(s.ctx.clock.now())
    expect(await google()).toEqual({ store: 'ANDROID_STORE', circuit: 'CLOSED', lastOkAt: okAt })
    s.ctx.clock.advance(SECOND)
    s.server.faults = { status: 500 }
    for (let count = 0; count < 5; count++) await post()
    expect(await google()).toEqual({ store: 'ANDROID_STORE', circuit: 'OPEN', lastOkAt: okAt })
    expect(await metric(s, 'svc_store_circuit_state{store="ANDROID_STORE"}')).toEqual([
      'svc_store_circuit_state{store="ANDROID_STORE"} 2',
    ])
    s.ctx.clock.advance(MINUTE)
    expect((await google()).circuit).toBe('HALF_OPEN')
    s.server.faults = {}
    await post()
    expect(await google()).toMatchObject({ circuit: 'CLOSED', lastOkAt: toIso(s.ctx.clock.now()) })
    // The other stores were never called.
    expect((await health(s)).stores.filter(({ lastOkAt }: { lastOkAt: unknown }) => lastOkAt === null)).toHaveLength(2)
  })

  test('tells nothing of tenants or secrets', async () => {
    const s = await open(androidStage())
    await s.token('svc_ada', s.server.store.subscribe(ANDROID_MONTHLY), 'pro_monthly')
    const body = await health(s)
    expect(Object.keys(body)).toEqual(['stores'])
    for (const one of body.stores) expect(Object.keys(one)).toEqual(['store', 'circuit', 'lastOkAt'])
    expect(JSON.stringify(body)).not.toContain(s.project.id)
  })
})

describe('metrics', () => {
  test('of the lag count what was processed, from the instant that the store told of', async () => {
    const s = await open(stage())
    const sum = async () => (await metric(s, 'svc_store_event_lag_seconds_sum'))[0]
    const count = async () => (await metric(s, 'svc_store_event_lag_seconds_count'))[0]
    const bought = s.buy(MONTHLY)
    await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], bought, { id: 'n1' })
    expect([await sum(), await count()]).toEqual([
      'svc_store_event_lag_seconds_sum{store="IOS_STORE"} 0',
      'svc_store_event_lag_seconds_count{store="IOS_STORE"} 1',
    ])
    const late = notificationBody(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], bought)
    s.ctx.clock.advance(90 * SECOND)
    await deliver(s, late)
    expect(await sum()).toBe('svc_store_event_lag_seconds_sum{store="IOS_STORE"} 90')
    // A repeated notification is not processed, and a refused one is not either.
    await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], bought, { id: 'n1' })
    await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], bought, { bundleId: 'com.example.other' })
    expect(await count()).toBe('svc_store_event_lag_seconds_count{store="IOS_STORE"} 2')
  })

  test('of the reconciler count checks by what came of them, and repairs', async () => {
    const s: IosApiStage = await open(iosApiStage())
    for (const device of ['svc_ada', 'svc_bo', 'svc_cy']) {
      const bought = s.buy(MONTHLY)
      await s.receipt(device, bought)
      s.ctx.clock.advance(HOUR)
      if (device === 'svc_bo') storeSays(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], bought)
    }
    s.ctx.clock.advance(2 * DAY)
    await reconcile(s.ctx)
    expect(await metric(s, 'svc_reconcile_')).toEqual([
      'svc_reconcile_checks_total{store="IOS_STORE",outcome="same"} 2',
      'svc_reconcile_checks_total{store="IOS_STORE",outcome="drift"} 1',
      'svc_reconcile_repairs_total{store="IOS_STORE"} 1',
      'svc_reconcile_braked{store="IOS_STORE"} 0',
      'svc_reconcile_braked{store="ANDROID_STORE"} 0',
      'svc_reconcile_braked{store="PAYMENT"} 0',
    ])
    s.api.trouble = { status: 500 }
    s.ctx.clock.advance(2 * DAY)
    await reconcile(s.ctx)
    expect(await metric(s, 'svc_reconcile_checks_total{store="IOS_STORE",outcome="failed"}')).toEqual([
      'svc_reconcile_checks_total{store="IOS_STORE",outcome="failed"} 3',
    ])
  })
})
