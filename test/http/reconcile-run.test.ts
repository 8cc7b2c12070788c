import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { createIds } from '../../src/base/lib/ids'
import { createContext } from '../../src/create-context'
import { reconcileCron } from '../../src/intake/reconcile/jobs'
import { type ReconcileOrder, type ReconcileReport, reconcile } from '../../src/intake/reconcile/run'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { simulatePurchase } from '../../src/test-store/driver/simulate'
import { termsOf, USUAL_PRICE } from '../../src/test-store/driver/terms'
import { type IosApiStage, iosApiStage, requestedPaths, saveIosKey, storeSays } from '../support/app-store'
import { type CastProject, MONTHLY } from '../support/cast'
import { access, damage, eventTypes, everything, rowOf } from '../support/facts'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

const CANCELLED = ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'] as const
const RENEWING = ['DID_RENEW', null] as const

const sumOf = ({ storeRuns }: ReconcileReport) => ({
  checked: storeRuns.reduce((sum, { tally }) => sum + tally.checked, 0),
  drifted: storeRuns.reduce((sum, { tally }) => sum + tally.drifted, 0),
  failed: storeRuns.reduce((sum, { failed }) => sum + failed, 0),
  passed: storeRuns.reduce((sum, { passed }) => sum + passed, 0),
  stops: storeRuns.flatMap(({ stop }) => stop ?? []),
})

const run = async (order: ReconcileOrder = {}) => sumOf(await reconcile(s.ctx, order))

/** Buys for `count` devices, of which the first `drifted` cancel without a notification. Then two days pass. */
async function crowd(count: number, drifted: number, project: CastProject = s.project): Promise<TransactionPayload[]> {
  const bought: TransactionPayload[] = []
  for (let index = 0; index < count; index++) {
    const payload = s.buy(MONTHLY)
    await s.receipt(`svc_${index}`, payload, { key: project.publicKey })
    bought.push(payload)
    s.ctx.clock.advance(1) // The purchase that is due for the longest time is checked first.
  }
  s.ctx.clock.advance(2 * DAY)
  for (const [index, payload] of bought.entries()) storeSays(s, index < drifted ? CANCELLED : RENEWING, payload)
  return bought
}

const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
const cancelled = async () => (await purchases()).filter(({ fold }) => !fold.autoRenews).length
const dueNow = async () =>
  (await purchases()).filter(({ recheckAt }) => (recheckAt ?? Number.POSITIVE_INFINITY) <= s.ctx.clock.now()).length
/** Ends when that many purchases have been compared with an answer of their store. */
async function untilChecked(count: number): Promise<void> {
  const checked = async () => {
    const { values } = await s.ctx.metrics.reconcileChecks.get()
    return values.reduce((sum, { labels, value }) => (labels.outcome === 'failed' ? sum : sum + value), 0)
  }
  while ((await checked()) < count) await Bun.sleep(1)
}

const errors = () => s.ctx.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')

describe('the drift limit', () => {
  test('lets 5 of 100 pass, and goes on to the end', async () => {
    await crowd(130, 5)
    expect(await run()).toEqual({ checked: 130, drifted: 5, failed: 0, passed: 0, stops: [] })
    expect(errors()).toEqual([])
  }, 600_000)

  test('stops at 6 of 100; the rest stays due, and what was found until then is put right', async () => {
    await crowd(130, 6)
    expect(await run()).toEqual({ checked: 100, drifted: 6, failed: 0, passed: 0, stops: ['BRAKE'] })
    expect([await cancelled(), await dueNow(), requestedPaths(s).length]).toEqual([6, 30, 100])
    const fields = { projectId: s.project.id, store: 'IOS_STORE', environment: 'SANDBOX', checked: 100, drifted: 6 }
    expect(errors()).toEqual([expect.objectContaining(fields)])
    expect(await s.ctx.metrics.text()).toContain('svc_reconcile_braked{store="IOS_STORE"} 1\n')
    // The next run begins with a new count.
    expect(await run()).toMatchObject({ checked: 30, drifted: 0, stops: [] })
    expect(await s.ctx.metrics.text()).toContain('svc_reconcile_braked{store="IOS_STORE"} 0\n')
    expect(await dueNow()).toBe(0)
  }, 600_000)

  test('does not stop what is too small for the limit', async () => {
    await crowd(99, 99)
    expect(await run()).toMatchObject({ checked: 99, drifted: 99, stops: [] })
  }, 600_000)

  test('is passed by force, and ignored by a dry run, which writes nothing', async () => {
    await crowd(130, 130)
    const before = await everything(s)
    expect(await run({ isDryRun: true })).toMatchObject({ checked: 130, drifted: 130, stops: [] })
    expect(await everything(s)).toEqual(before)
    expect(await run({ isForced: true })).toMatchObject({ checked: 130, drifted: 130, stops: [] })
    expect(await cancelled()).toBe(130)
  }, 600_000)

  test('of one project keeps no other waiting', async () => {
    await saveIosKey(s, s.other)
    await crowd(110, 110)
    for (let index = 0; index < 60; index++)
      await s.receipt(`svc_b${index}`, s.buy(MONTHLY), { key: s.other.publicKey })
    s.ctx.clock.advance(2 * DAY)
    const { storeRuns } = await reconcile(s.ctx)
    const of = (project: CastProject) =>
      storeRuns.find((lane) => lane.projectId === project.id && lane.tally.checked > 0)
    expect(of(s.project)).toMatchObject({ tally: { checked: 100, drifted: 100 }, stop: 'BRAKE' })
    expect(of(s.other)).toMatchObject({ tally: { checked: 60, drifted: 0 }, stop: null })
  }, 600_000)
})

describe('an outage', () => {
  test('in the middle stops the store there; everything else stays due and is asked about after it', async () => {
    const bought = await crowd(60, 0)
    // Only the answers from the 21st on fail, and the first of them comes after the 20 before are counted.
    const fault = { status: 503, until: untilChecked(20) }
    const { requests } = s.api
    Object.defineProperty(s.api, 'trouble', {
      configurable: true,
      get: () => (requests.length > 20 ? fault : null),
      set: () => {},
    })
    const { checked, failed, stops } = await run()
    expect([checked, stops]).toEqual([20, ['OUTAGE']])
    // Four calls run at a time: when the fifth failure in a row stops the store, three others may be running.
    expect(failed).toBeLessThanOrEqual(5 + 3)
    expect(await dueNow()).toBe(60 - 20 - failed)
    expect(errors()).toEqual([])
    Object.defineProperty(s.api, 'trouble', { configurable: true, value: null, writable: true })
    s.ctx.clock.advance(HOUR)
    storeSays(s, CANCELLED, bought.at(-1) ?? s.buy(MONTHLY))
    expect(await run()).toMatchObject({ checked: 40, drifted: 1, failed: 0, stops: [] })
  }, 600_000)

  test('of single purchases is told, and keeps no other waiting in the next run', async () => {
    const bought: TransactionPayload[] = []
    for (let index = 0; index < 20; index++) {
      bought.push(s.buy(MONTHLY))
      await s.receipt(`svc_${index}`, bought.at(-1) ?? s.buy(MONTHLY))
      s.ctx.clock.advance(MINUTE)
    }
    s.ctx.clock.advance(2 * DAY)
    for (const [index, payload] of bought.entries()) {
      storeSays(s, RENEWING, payload)
      const held = s.api.facts.statuses.get(payload.originalTransactionId)
      if (held && index < 8) held.signedTransactionInfo = 'x.y.z' // The purchases that are due for the longest time.
    }
    expect(await run()).toMatchObject({ checked: 0, stops: ['OUTAGE'] })
    expect(s.ctx.lines.join('\n')).toContain('a store gave no usable answer')
    s.ctx.clock.advance(HOUR)
    // The failed ones come last now.
    expect(await run()).toMatchObject({ checked: 12 })
  })

  test('of the database fails the run, and what was taken is due again', async () => {
    await crowd(10, 1)
    const { write } = s.ctx
    let count = 0
    Object.assign(s.ctx, { write: (work: never) => (++count > 3 ? Promise.reject(new Error('away')) : write(work)) })
    await reconcile(s.ctx).catch(() => {})
    Object.assign(s.ctx, { write })
    s.ctx.clock.advance(31 * MINUTE)
    expect((await run()).failed).toBe(0)
    expect([await cancelled(), await dueNow()]).toEqual([1, 0])
  })
})

describe('two runs at once', () => {
  test('share the work: each purchase is asked about once, told once and paid once', async () => {
    await crowd(60, 3)
    const other = await createContext(s.ctx.config, {
      clock: s.ctx.clock,
      log: s.ctx.log,
      ids: createIds(() => s.ctx.clock.now()),
    })
    try {
      const reports = await Promise.all([reconcile(s.ctx), reconcile(other), reconcile(s.ctx)])
      const sums = reports.map(sumOf)
      expect(sums.reduce((sum, { checked }) => sum + checked, 0)).toBe(60)
      expect(sums.reduce((sum, { drifted }) => sum + drifted, 0)).toBe(3)
      expect(requestedPaths(s)).toHaveLength(60)
      for (let index = 0; index < 3; index++)
        expect(await eventTypes(s, (await rowOf(s, `svc_${index}`)).id)).toEqual([
          'purchase.initial',
          'entitlement.granted',
          'purchase.cancelled',
        ])
    } finally {
      await other.close()
    }
  }, 600_000)
})

describe('nobody is asked', () => {
  test('for a project without the key, and its purchases stay due', async () => {
    await s.receipt('svc_other', s.buy(MONTHLY), { key: s.other.publicKey })
    s.ctx.clock.advance(2 * DAY)
    expect(await run()).toEqual({ checked: 0, drifted: 0, failed: 0, passed: 0, stops: ['NO_CREDENTIALS'] })
    expect(await dueNow()).toBe(1)
    await saveIosKey(s, s.other)
    expect(await run()).toMatchObject({ checked: 1, stops: [] })
  })

  test('about the purchases of somebody who was erased, then or later', async () => {
    await crowd(1, 1)
    await damage(s, (await rowOf(s, 'svc_0')).id, { erasedAt: s.ctx.clock.now() })
    expect(await run()).toMatchObject({ checked: 0, passed: 1 })
    s.ctx.clock.advance(400 * DAY)
    expect(await run()).toMatchObject({ checked: 0, passed: 0 })
    expect(requestedPaths(s)).toEqual([])
  })

  test('about a project that is gone', async () => {
    await crowd(1, 1)
    const { projects: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ deletedAt: s.ctx.clock.now() }).where(eq(t.id, s.project.id)))
    s.ctx.state.projects.forget(s.project.id)
    expect(await run()).toEqual({ checked: 0, drifted: 0, failed: 0, passed: 0, stops: [] })
  })

  test('at the real store about what the test store sold', async () => {
    const project = await s.ctx.state.projects.get(s.project.id)
    const terms = termsOf(project, 'ios', 'pro_monthly', USUAL_PRICE)
    if (!terms) throw new Error('the cast sells no pro_monthly')
    await simulatePurchase(s.ctx, project, { deviceKey: 'svc_ada', store: 'ios', terms, withTrial: false })
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    s.ctx.clock.advance(2 * DAY)
    expect(await run()).toEqual({ checked: 0, drifted: 0, failed: 0, passed: 1, stops: [] })
    s.ctx.clock.advance(30 * DAY)
    expect(requestedPaths(s)).toEqual([])
    expect(await run()).toMatchObject({ passed: 0 })
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('of another store or project than was named', async () => {
    await crowd(2, 0)
    expect(await run({ store: 'ANDROID_STORE' })).toMatchObject({ checked: 0 })
    expect(await run({ projectId: s.other.id })).toMatchObject({ checked: 0 })
    expect(await run({ projectId: s.project.id, store: 'IOS_STORE' })).toMatchObject({ checked: 2 })
  })
})

test('every project is checked once before one of them is checked twice', async () => {
  await saveIosKey(s, s.other)
  await crowd(120, 0)
  for (let index = 0; index < 3; index++) await s.receipt(`svc_b${index}`, s.buy(MONTHLY), { key: s.other.publicKey })
  s.ctx.clock.advance(2 * DAY)
  const { storeRuns } = await reconcile(s.ctx, { isOver: () => requestedPaths(s).length > 53 })
  const of = (project: CastProject) =>
    storeRuns.find(
      (lane) => lane.projectId === project.id && lane.environment === 'SANDBOX' && lane.store === 'IOS_STORE',
    )
  expect(of(s.other)).toMatchObject({ tally: { checked: 3 }, stop: null })
  expect(of(s.project)).toMatchObject({ stop: 'TIME' })
  expect(await dueNow()).toBe(123 - requestedPaths(s).length)
}, 600_000)

test('no project asks about more than its share in a run, and the rest stays due', async () => {
  await crowd(120, 0)
  expect(await run({ budget: 70 })).toMatchObject({ stops: ['TIME'] })
  expect(requestedPaths(s).length).toBeGreaterThanOrEqual(70)
  expect(requestedPaths(s).length).toBeLessThan(75) // Four purchases are checked at the same time.
  expect(await dueNow()).toBe(120 - requestedPaths(s).length)
}, 600_000)

test('the hourly job runs it', async () => {
  await crowd(3, 1)
  const worker = new Worker(s.ctx, createRegistry([], reconcileCron))
  await worker.runDue()
  expect([await cancelled(), requestedPaths(s).length]).toEqual([1, 3])
  s.ctx.clock.advance(59 * MINUTE)
  await worker.runDue()
  expect(requestedPaths(s)).toHaveLength(3)
  s.ctx.clock.advance(DAY)
  await worker.runDue()
  expect(requestedPaths(s)).toHaveLength(6)
  await worker.stop(0)
})
