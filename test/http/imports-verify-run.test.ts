import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import type { ImportJobRow } from '../../src/moving/imports/queries'
import { verifyJob } from '../../src/moving/imports/verify/verify-job'
import type { SubscriberRow } from '../../src/people/subscribers/service'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { everything, money } from '../support/facts'
import {
  anchor,
  anchorsOf,
  counted,
  importedPerson,
  jobOf,
  purchasesOf,
  verifiedJob,
  verify,
} from '../support/import-verification'

let s: AndroidStage
let job: ImportJobRow
let ada: SubscriberRow
beforeEach(async () => {
  s = await androidStage()
  job = await verifiedJob(s)
  ada = await importedPerson(s, 'ada', 'svc_ada')
})
afterEach(() => s.close())

/** Anchors of subscriptions that Google knows. */
async function anchors(count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => s.server.store.subscribe(ANDROID_MONTHLY))
  for (const token of tokens) await anchor(s, job, ada, 'ANDROID_STORE', proofOf(token))
  return tokens
}

const proofOf = (token: string) => ({ kind: 'PURCHASE_TOKEN', token, product: 'pro', isSubscription: true }) as const

const setStatus = (status: ImportJobRow['status']) =>
  s.ctx.write((tx) => tx.db.update(tx.tables.importJobs).set({ status }).where(eq(tx.tables.importJobs.id, job.id)))

const asked = () => s.server.requests.filter(({ path }) => path.includes('/purchases/subscriptionsv2/'))

describe('a run', () => {
  test('without anchors completes without a call', async () => {
    expect(await verify(s, job)).toEqual({ outcome: 'COMPLETED', waits: [] })
    expect(s.calls()).toBe(0)
    expect((await jobOf(s, job.id)).counters).toEqual({ ...job.counters, verified: 0, unverifiable: 0, remaining: 0 })
  })

  test('keeps the counters that are not its own', async () => {
    await anchors(1)
    await verify(s, job)
    expect((await jobOf(s, job.id)).counters).toMatchObject({ rows: 7, valid: 7, verified: 1 })
  })

  test('makes five calls a second at most', async () => {
    await anchors(11)
    const began = s.ctx.clock.now()
    await verify(s, job)
    expect(asked()).toHaveLength(11)
    expect(s.ctx.clock.now() - began).toBe(10 * 200)
  })

  test('says how far it is, and its counters always add up', async () => {
    await anchors(60)
    for (let n = 0; n < 5; n++) await anchor(s, job, ada, 'PAYMENT', { kind: 'PROVIDER', id: `sub_${n}` })
    const seen: [number, number, number][] = []
    const wait = async (ms: number) => {
      s.ctx.clock.advance(ms)
      seen.push(await counted(s, job))
    }
    await verify(s, job, { wait })
    const begun = seen.filter((counters) => counters.some((one) => one > 0))
    expect(new Set(begun.map(([verified, unverifiable, remaining]) => verified + unverifiable + remaining))).toEqual(
      new Set([65]),
    )
    expect(new Set(begun.map(([verified]) => verified))).toContain(50)
    expect(await counted(s, job)).toEqual([60, 5, 0])
  })

  test('writes one line with its counts, and no token', async () => {
    const [token = ''] = await anchors(2)
    s.ctx.lines.length = 0
    await verify(s, job)
    const lines = s.ctx.lines.filter((line) => line.includes(job.id))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ calls: 2, verified: 2, unverifiable: 0, remaining: 0 })
    expect(s.ctx.lines.join()).not.toContain(token)
  })

  test('counts by store and outcome for Prometheus', async () => {
    await anchors(2)
    await anchor(s, job, ada, 'PAYMENT', { kind: 'PROVIDER', id: 'sub_1' })
    await verify(s, job)
    const text = await s.ctx.metrics.text()
    expect(text).toContain('svc_import_verifications_total{store="ANDROID_STORE",outcome="verified"} 2')
    expect(text).toContain('svc_import_verifications_total{store="PAYMENT",outcome="unverifiable"} 1')
  })

  test('changes nothing when it is repeated', async () => {
    await anchors(3)
    await verify(s, job)
    const before = await everything(s)
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await everything(s)).toEqual(before)
    expect(asked()).toHaveLength(3)
  })
})

describe('the budget', () => {
  test('of calls ends the run exactly there, and the next run goes on', async () => {
    await anchors(5)
    expect((await verify(s, job, { maxCalls: 2 })).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toHaveLength(2)
    expect(await counted(s, job)).toEqual([2, 0, 3])
    expect((await jobOf(s, job.id)).error).toContain('calls; 3 rows wait. Resume to go on.')
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(asked()).toHaveLength(5)
    expect([await counted(s, job), (await jobOf(s, job.id)).error]).toEqual([[5, 0, 0], null])
  })

  test('of time ends the run', async () => {
    await anchors(3)
    const wait = async () => s.ctx.clock.advance(7 * HOUR)
    expect((await verify(s, job, { wait })).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toHaveLength(1)
    expect((await jobOf(s, job.id)).error).toContain('6 hours')
    expect(await counted(s, job)).toEqual([1, 0, 2])
  })
})

describe('a store in trouble', () => {
  test('that refuses the account is asked once, and its rows wait', async () => {
    await anchors(3)
    s.server.faults = { status: 403, reason: 'permissionDenied' }
    expect((await verify(s, job)).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toHaveLength(1)
    expect(await counted(s, job)).toEqual([0, 0, 3])
    expect(await anchorsOf(s, job)).toMatchObject(Array(3).fill({ state: 'PENDING', attempts: 0 }))
    expect((await jobOf(s, job.id)).error).toBe(
      'Google Play refused the service account (403 permissionDenied): correct the settings of the store; 3 rows wait. Resume to go on.',
    )
    s.server.faults = {}
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await counted(s, job)).toEqual([3, 0, 0])
  })

  test('that gives no access token counts as one that refuses the account', async () => {
    await anchors(2)
    s.server.faults = { tokenStatus: 401 }
    expect((await verify(s, job)).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toHaveLength(0)
    expect((await jobOf(s, job.id)).error).toContain('correct the settings of the store')
  })

  test('with too many calls is waited for as long as it says, and no attempt is counted', async () => {
    await anchors(2)
    s.server.faults = { status: 429, reason: 'rateLimitExceeded', retryAfter: 120 }
    const waits: number[] = []
    const wait = async (ms: number) => {
      if (ms > 200) waits.push(ms)
      s.ctx.clock.advance(ms)
      if (ms > 200) s.server.faults = {}
    }
    expect((await verify(s, job, { wait })).outcome).toBe('COMPLETED')
    expect(waits).toEqual([120 * SECOND])
    expect(asked()).toHaveLength(3)
    expect(await anchorsOf(s, job)).toMatchObject(Array(2).fill({ state: 'VERIFIED', attempts: 0, error: null }))
  })

  test('that wants to be left alone longer than the run lasts ends it', async () => {
    await anchors(2)
    s.server.faults = { status: 429, retryAfter: 7 * 3600 }
    expect(await verify(s, job)).toEqual({ outcome: 'VERIFICATION_INCOMPLETE', waits: [] })
    expect(asked()).toHaveLength(1)
    expect(await counted(s, job)).toEqual([0, 0, 2])
  })

  test('that answers 500 is left alone before the circuit of the receipts opens', async () => {
    await anchors(3)
    s.server.faults = { status: 500 }
    const { outcome, waits } = await verify(s, job)
    expect(outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toHaveLength(4)
    expect(waits).toEqual([2 * SECOND, 10 * SECOND, 30 * SECOND])
    expect((await anchorsOf(s, job)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['PENDING', 3],
      ['PENDING', 1],
      ['PENDING', 0],
    ])
    expect(s.ctx.circuits.healthOf('ANDROID_STORE', s.ctx.clock.now()).circuit).toBe('CLOSED')
    s.server.faults = {}
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    expect((await s.token('svc_bo', token, 'pro_monthly')).status).toBe(200)
  })

  test('that fails for one row only goes on with the others', async () => {
    const [poison = ''] = await anchors(3)
    s.server.faults = { reply: (path) => (path.includes(poison) ? '{"lineItems": 7}' : null) }
    expect((await verify(s, job)).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(await counted(s, job)).toEqual([2, 0, 1])
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'PENDING', attempts: 1 }, {}, {}])
    for (let run = 2; run <= 5; run++) await verify(s, job)
    expect(await counted(s, job)).toEqual([2, 1, 0])
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'UNVERIFIABLE', attempts: 5 }, {}, {}])
    expect(asked()).toHaveLength(3 + 4)
  })

  test('is not held up by a person whose merges lead nowhere', async () => {
    const bo = await importedPerson(s, 'bo')
    await anchor(s, job, bo, 'ANDROID_STORE', proofOf(s.server.store.subscribe(ANDROID_MONTHLY)))
    await anchors(1)
    await s.ctx.write((tx) =>
      tx.db
        .update(tx.tables.subscribers)
        .set({ mergedInto: 'sub_00000000000000000000000000' })
        .where(eq(tx.tables.subscribers.id, bo.id)),
    )
    expect((await verify(s, job)).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(await counted(s, job)).toEqual([1, 0, 1])
  })

  test('that answers garbage to everything is given up after a while, and no row is lost', async () => {
    await anchors(25)
    s.server.faults = { isMalformed: true }
    expect((await verify(s, job)).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toHaveLength(20)
    expect(await counted(s, job)).toEqual([0, 0, 25])
    s.server.faults = {}
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await counted(s, job)).toEqual([25, 0, 0])
  })

  test('that does not answer in time is asked again later', async () => {
    await anchors(1)
    const late = Promise.withResolvers<void>()
    s.server.faults = { until: late.promise }
    const wait = async (ms: number) => {
      s.ctx.clock.advance(ms)
      s.server.faults = {}
      late.resolve()
    }
    expect((await verify(s, job, { wait })).outcome).toBe('COMPLETED')
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'VERIFIED', attempts: 1 }])
    expect(await purchasesOf(s, ada.id)).toHaveLength(1)
  })

  test('whose circuit is open is not asked before it has closed', async () => {
    await anchors(1)
    s.server.faults = { status: 500 }
    for (let n = 0; n < 5; n++) await s.token('svc_bo', s.server.store.subscribe(ANDROID_MONTHLY), 'pro_monthly')
    expect(s.ctx.circuits.healthOf('ANDROID_STORE', s.ctx.clock.now()).circuit).toBe('OPEN')
    s.server.faults = {}
    const before = asked().length
    const { outcome, waits } = await verify(s, job)
    expect([outcome, asked().length - before]).toEqual(['COMPLETED', 1])
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(MINUTE)
  })

  test('does not hold up the others', async () => {
    await anchors(2)
    await anchor(s, job, ada, 'PAYMENT', { kind: 'PROVIDER', id: 'sub_1' })
    await anchor(s, job, ada, 'IOS_STORE', { kind: 'ORIGINAL_TRANSACTION', id: '2000000000000001' })
    s.server.faults = { status: 403 }
    await verify(s, job)
    expect(await counted(s, job)).toEqual([0, 2, 2])
  })
})

describe('a run that is stopped', () => {
  test('by its signal while the store is asked ends at once, and the next one goes on', async () => {
    await anchors(3)
    const stop = new AbortController()
    const late = Promise.withResolvers<void>()
    s.server.faults = { until: late.promise }
    const running = verify(s, job, { signal: stop.signal })
    while (s.server.requests.length === 0) await new Promise(setImmediate)
    stop.abort()
    expect((await running).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(await counted(s, job)).toEqual([0, 0, 3])
    late.resolve()
    s.server.faults = {}
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await purchasesOf(s, ada.id)).toHaveLength(3)
    expect(await money(s, ada.id)).toHaveLength(3)
  })

  test('before it begins makes no call', async () => {
    await anchors(1)
    expect((await verify(s, job, { signal: AbortSignal.abort() })).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toEqual([])
  })

  test('while it waits ends at once', async () => {
    await anchors(1)
    const stop = new AbortController()
    s.server.faults = { status: 429, retryAfter: 3600 }
    const wait = async () => stop.abort()
    expect((await verify(s, job, { signal: stop.signal, wait })).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toHaveLength(1)
  })

  test('by a cancellation records nothing of an answer that comes later', async () => {
    await anchors(2)
    const late = Promise.withResolvers<void>()
    s.server.faults = { until: late.promise }
    const running = verify(s, job)
    while (s.server.requests.length === 0) await new Promise(setImmediate)
    await setStatus('CANCELLED')
    late.resolve()
    expect((await running).outcome).toBe('VERIFICATION_INCOMPLETE')
    expect(await purchasesOf(s, ada.id)).toEqual([])
    expect(asked()).toHaveLength(1)
    expect([await counted(s, job), (await jobOf(s, job.id)).status]).toEqual([[0, 0, 2], 'CANCELLED'])
    expect((await jobOf(s, job.id)).error).toBeNull()
  })

  test('at every single call ends, resumed, as one that was never stopped', async () => {
    const tokens = await anchors(6)
    for (let n = 1; n <= 6; n++) await verify(s, job, { maxCalls: 1 })
    expect(await counted(s, job)).toEqual([6, 0, 0])
    expect((await purchasesOf(s, ada.id)).map(({ chainKey }) => chainKey)).toEqual(tokens.toSorted())
    expect(await money(s, ada.id)).toHaveLength(6)
    expect(asked()).toHaveLength(6)
  })
})

describe('in real time', () => {
  /** As the server runs it. */
  const run = async (signal: AbortSignal) =>
    verifyJob(s.ctx, await s.ctx.state.projects.get(s.project.id), await jobOf(s, job.id), { signal })

  test('a run waits between its calls and completes', async () => {
    await anchors(2)
    expect(await run(new AbortController().signal)).toBe('COMPLETED')
    expect(asked()).toHaveLength(2)
  })

  test('a stop ends a wait of an hour', async () => {
    await anchors(2)
    s.server.faults = { status: 429, retryAfter: 3600 }
    const stop = new AbortController()
    const running = run(stop.signal)
    while ((await anchorsOf(s, job))[0]?.error === null) await new Promise(setImmediate)
    stop.abort()
    expect(await running).toBe('VERIFICATION_INCOMPLETE')
    expect(asked()).toHaveLength(1)
    expect(await counted(s, job)).toEqual([0, 0, 2])
  })
})

describe('two runs at once', () => {
  test('record everything once and agree about the counters', async () => {
    await anchors(8)
    const outcomes = await Promise.all([verify(s, job), verify(s, job)])
    expect(outcomes.map(({ outcome }) => outcome)).toContain('COMPLETED')
    expect(await counted(s, job)).toEqual([8, 0, 0])
    expect(await purchasesOf(s, ada.id)).toHaveLength(8)
    expect(await money(s, ada.id)).toHaveLength(8)
    const text = await s.ctx.metrics.text()
    expect(text).toContain('svc_import_verifications_total{store="ANDROID_STORE",outcome="verified"} 8')
  })

  test('of two jobs with the same tokens make one purchase of each', async () => {
    const tokens = await anchors(4)
    const again = await verifiedJob(s)
    for (const token of tokens) await anchor(s, again, ada, 'ANDROID_STORE', proofOf(token))
    await Promise.all([verify(s, job), verify(s, again)])
    expect([await counted(s, job), await counted(s, again)]).toEqual([
      [4, 0, 0],
      [4, 0, 0],
    ])
    expect(await purchasesOf(s, ada.id)).toHaveLength(4)
    expect(await money(s, ada.id)).toHaveLength(4)
  })
})

test('an anchor of another project is never asked about', async () => {
  const other = { ...job, projectId: s.other.id }
  await anchor(s, other, ada, 'ANDROID_STORE', proofOf(s.server.store.subscribe(ANDROID_MONTHLY)))
  const theirs = await verifiedJob(s, {}, { projectId: s.other.id })
  await verify(s, theirs)
  expect(asked()).toEqual([])
})
