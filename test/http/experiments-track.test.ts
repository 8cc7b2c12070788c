import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { trackedRetention } from '../../src/targeting/experiments/jobs'
import { pruneTracked } from '../../src/targeting/experiments/track'
import { type Stage, stage } from '../support/cast'
import {
  assignmentsOf,
  change,
  countsOf,
  experimentEvents,
  experimentEventTypes,
  expose,
  track,
} from '../support/experiments'
import { damage, everything, expectRefused, identify, rowOf } from '../support/facts'
import { clearRemote, configure } from '../support/remote'

let s: Stage
let device: string
let count = 0
beforeAll(async () => {
  s = await stage()
})
beforeEach(async () => {
  s.ctx.clock.advance(10 * MINUTE)
  device = `svc_tracked_${++count}`
  const startedAt = s.ctx.clock.now()
  const metrics = ['purchase', 'signup']
  await configure(s, { experiments: [{ id: 'exp_1', key: 'checkout_test', startedAt, metrics }] })
  s.ctx.clock.advance(MINUTE)
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

const iso = (at: number) => new Date(at).toISOString()
const saved = () => s.ctx.db.select().from(s.ctx.tables.trackedEvents).orderBy(s.ctx.tables.trackedEvents.position)
const EXPOSED = 'experiment.exposed'
const CONVERTED = 'experiment.converted'

describe('refused, and nothing is written', () => {
  const good = { type: 'signup' }
  const bodies: [name: string, events: unknown, place: string][] = [
    ['no events', undefined, 'events'],
    ['events that are no list', {}, 'events'],
    ['an empty list', [], 'events'],
    ['101 events', Array(101).fill(good), 'events'],
    ['an event without a type', [good, {}], 'events/1/type'],
    ['an empty type', [{ type: '' }], 'events/0/type'],
    ['a type of 129 characters', [{ type: 'x'.repeat(129) }], 'events/0/type'],
    ['a type with NUL', [good, good, { type: 'a\0' }], 'NUL'],
    ['a number as key', [{ ...good, key: 5 }], 'events/0/key'],
    ['a time that is none', [good, { ...good, timestamp: 'yesterday' }], 'events[1].timestamp'],
    ['a number as time', [{ ...good, timestamp: 1 }], 'events/0/timestamp'],
    ['metadata that is a list', [{ ...good, metadata: [] }], 'events/0/metadata'],
    ['metadata with a number too large', [{ ...good, metadata: { a: 2 ** 60 } }], 'events[0].metadata'],
    ['metadata over 4 KiB', [good, { ...good, metadata: { a: 'x'.repeat(4096) } }], 'events[1].metadata'],
  ]
  test.each(bodies)('%s', async (_name, events, place) => {
    const post = () => s.post('/v1/experiments/track?subscriberId=svc_stranger', { events })
    const { body } = await expectRefused(s, post, 400, 'VALIDATION_ERROR')
    expect(body.error.message).toContain(place)
  })

  test('nobody named, or somebody whom no caller may name', async () => {
    for (const query of ['', '?subscriberId=%20', '?subscriberId=import:1'])
      await expectRefused(s, () => s.post(`/v1/experiments/track${query}`, { events: [good] }), 400, 'VALIDATION_ERROR')
  })

  test('without a key', async () => {
    await expectRefused(s, () => track(s, device, [good], { key: null }), 401, 'BEARER_REQUIRED')
  })
})

describe('what is saved', () => {
  test('is every event, with all that it told, for a subscriber that the call makes', async () => {
    const now = s.ctx.clock.now()
    const events = [
      { type: 'signup', key: 'none', timestamp: iso(now - DAY), metadata: { plan: 'gold' }, unknown: 1 },
      { type: 'other' },
    ]
    const headers = { 'x-svc-user-id': device, 'x-svc-platform': 'ios' }
    const answer = await s.post('/v1/experiments/track', { events }, { headers })
    expect([answer.status, answer.body]).toEqual([200, { data: { recorded: 2 } }])
    const { id, attributes } = await rowOf(s, device)
    expect(attributes).toMatchObject({ platform: { value: 'ios' } })
    const row = { projectId: s.project.id, subscriberId: id, recordedAt: now }
    expect(await saved()).toMatchObject([
      { ...row, type: 'signup', experimentKey: 'none', occurredAt: now - DAY, metadata: { plan: 'gold' } },
      { ...row, type: 'other', experimentKey: null, occurredAt: now, metadata: null },
    ])
    expect(await experimentEventTypes(s, device)).toEqual([])
  })

  test('is saved once for an Idempotency-Key', async () => {
    const options = { headers: { 'idempotency-key': 'batch-1' } }
    for (const replayed of [null, 'true']) {
      const answer = await track(s, device, [{ type: 'signup' }], options)
      expect([answer.body, answer.headers.get('idempotent-replay')]).toEqual([{ data: { recorded: 1 } }, replayed])
    }
    expect(await saved()).toHaveLength(1)
  })

  test('a clock far ahead tells what has just happened', async () => {
    await track(s, device, [{ type: 'signup', timestamp: '9999-12-31T23:59:59Z' }])
    expect((await saved())[0]?.occurredAt).toBe(s.ctx.clock.now() + 5 * MINUTE)
  })

  test('is bounded for each subscriber: the oldest go', async () => {
    const now = s.ctx.clock.now()
    const batch = (n: number) =>
      Array.from({ length: 100 }, (_, index) => ({ type: 'x', timestamp: iso(now - n * 100 - index) }))
    for (let n = 11; n >= 0; n--) await track(s, device, batch(n))
    const times = (await saved()).map(({ occurredAt }) => now - occurredAt)
    expect([times.length, Math.max(...times), Math.min(...times)]).toEqual([1000, 999, 0])
  })

  test('is kept for exactly 90 days, and what it converted stays', async () => {
    await expose(s, device, 'a')
    await track(s, device, [{ type: 'signup' }])
    s.ctx.clock.advance(90 * DAY)
    expect(await pruneTracked(s.ctx)).toBe(0)
    s.ctx.clock.advance(1)
    expect(await pruneTracked(s.ctx, () => true)).toBe(0)
    expect([await pruneTracked(s.ctx), await saved()]).toEqual([1, []])
    expect(await countsOf(s)).toEqual(['a 1/1', 'b 0/0'])
    expect(s.ctx.hooks.retention).toContain(trackedRetention)
  })

  test('is nothing for somebody who was erased', async () => {
    await s.get('/v1/me', device)
    await damage(s, (await rowOf(s, device)).id, { erasedAt: 1 })
    const before = await everything(s)
    expect((await track(s, device, [{ type: 'signup' }])).body).toEqual({ data: { recorded: 0 } })
    expect(await everything(s)).toEqual(before)
  })
})

describe('a conversion', () => {
  test('is the first event that counts, told once with the place of the exposure', async () => {
    await expose(s, device, 'b', { placementId: 'plc_1' })
    const at = s.ctx.clock.now()
    const events = [
      { type: 'other' },
      { type: 'signup', timestamp: iso(at + 2) },
      { type: 'purchase', timestamp: iso(at + 1) },
    ]
    expect((await track(s, device, events)).body).toEqual({ data: { recorded: 3 } })
    await track(s, device, events)
    expect(await assignmentsOf(s)).toMatchObject([{ variantId: 'b', convertedAt: at + 1 }])
    const data = { experimentId: 'exp_1', key: 'checkout_test', variantId: 'b', placementId: 'plc_1' }
    expect(await experimentEvents(s, device)).toEqual([
      { type: EXPOSED, data },
      { type: CONVERTED, data },
    ])
    expect(await countsOf(s)).toEqual(['a 0/0', 'b 1/1'])
  })

  test('of many calls at once is one', async () => {
    await expose(s, device, 'a')
    await Promise.all(Array.from({ length: 30 }, () => track(s, device, [{ type: 'signup' }])))
    expect([await experimentEventTypes(s, device), (await saved()).length]).toEqual([[EXPOSED, CONVERTED], 30])
  })

  test('is not before the exposure, and is at its very instant', async () => {
    const at = s.ctx.clock.now()
    await expose(s, device, 'a', { exposedAt: iso(at) })
    await track(s, device, [{ type: 'signup', timestamp: iso(at - 1) }])
    expect(await countsOf(s)).toEqual(['a 1/0', 'b 0/0'])
    await track(s, device, [{ type: 'signup', timestamp: iso(at) }])
    expect(await countsOf(s)).toEqual(['a 1/1', 'b 0/0'])
  })

  test('counts the same when the exposure comes after it', async () => {
    const at = s.ctx.clock.now()
    await track(s, device, [
      { type: 'signup', timestamp: iso(at - 10) },
      { type: 'signup', timestamp: iso(at + 10) },
    ])
    await expose(s, device, 'a', { exposedAt: iso(at) })
    expect(await assignmentsOf(s)).toMatchObject([{ exposedAt: at, convertedAt: at + 10 }])
    expect(await experimentEventTypes(s, device)).toEqual([EXPOSED, CONVERTED])
  })

  test('is nobody’s without an exposure, whatever they hold', async () => {
    await s.get(`/v1/config?subscriberId=${device}`)
    await s.ctx.state.assignments.flush()
    await track(s, device, [{ type: 'signup' }])
    expect(await assignmentsOf(s)).toMatchObject([{ exposedAt: null, convertedAt: null }])
    expect(await experimentEventTypes(s, device)).toEqual([])
  })

  test('is of the experiment named by key only, else of every one', async () => {
    await configure(s, { experiments: [{ id: 'exp_2', key: 'second', metrics: ['signup'] }] })
    await configure(s, { experiments: [{ id: 'exp_3', key: 'third', metrics: ['else'] }] })
    for (const key of ['checkout_test', 'second', 'third']) await expose(s, device, 'a', {}, key)
    const converted = async () =>
      (await assignmentsOf(s)).flatMap((row) => (row.convertedAt === null ? [] : row.experimentId)).sort()
    await track(s, device, [{ type: 'signup', key: 'nobody_has_it' }])
    expect(await converted()).toEqual([])
    await track(s, device, [{ type: 'signup', key: 'second' }])
    expect(await converted()).toEqual(['exp_2'])
    await track(s, device, [{ type: 'signup' }])
    expect(await converted()).toEqual(['exp_1', 'exp_2'])
  })

  test('follows a merge: what the merged device tracks is of the survivor', async () => {
    await track(s, device, [{ type: 'signup', timestamp: iso(s.ctx.clock.now() + 5) }])
    await identify(s, device, `${device}@example.com`)
    await identify(s, `${device}_new`, `${device}@example.com`)
    await expose(s, `${device}_new`, 'a')
    expect(await countsOf(s)).toEqual(['a 1/1', 'b 0/0'])
    await track(s, device, [{ type: 'signup' }])
    expect(await experimentEventTypes(s, `${device}_new`)).toEqual([EXPOSED, CONVERTED])
  })
})

describe('an experiment that does not run', () => {
  for (const status of ['PAUSED', 'COMPLETED'] as const)
    test(`takes no conversion of what happens while it is ${status}`, async () => {
      await expose(s, device, 'a')
      const times = status === 'COMPLETED' ? [undefined, iso(s.ctx.clock.now())] : [undefined]
      s.ctx.clock.advance(MINUTE)
      await change(s, 'checkout_test', { status, completedAt: status === 'COMPLETED' ? s.ctx.clock.now() : null })
      for (const timestamp of times) await track(s, device, [{ type: 'signup', timestamp }])
      expect(await countsOf(s)).toEqual(['a 1/0', 'b 0/0'])
      expect(await experimentEventTypes(s, device)).toEqual([EXPOSED])
    })

  test('and after a pause nothing counts that fell into it, also when the exposure comes late', async () => {
    const at = s.ctx.clock.now()
    await expose(s, `${device}_early`, 'a')
    s.ctx.clock.advance(MINUTE)
    await change(s, 'checkout_test', { status: 'PAUSED' })
    s.ctx.clock.advance(MINUTE)
    await change(s, 'checkout_test', { status: 'RUNNING' })
    const convert = async (who: string, after: number) => {
      await track(s, who, [{ type: 'signup', timestamp: iso(at + after) }])
      if (who === device) await expose(s, who, 'a', { exposedAt: iso(at) })
    }
    for (const who of [`${device}_early`, device]) await convert(who, MINUTE)
    expect(await countsOf(s)).toEqual(['a 2/0', 'b 0/0'])
    for (const who of [`${device}_early`, device]) await convert(who, 2 * MINUTE)
    expect(await countsOf(s)).toEqual(['a 2/2', 'b 0/0'])
  })
})

test('a broken experiment converts nothing, and spoils no other', async () => {
  await configure(s, { experiments: [{ id: 'exp_2', key: 'second', metrics: ['signup'] }] })
  for (const key of ['checkout_test', 'second']) await expose(s, device, 'a', {}, key)
  const { experiments: e } = s.ctx.tables
  const broken = { metrics: { signup: true } as never }
  await s.ctx.write((tx) => tx.db.update(e).set(broken).where(eq(e.id, 'exp_1')))
  expect((await track(s, device, [{ type: 'signup' }])).status).toBe(200)
  expect(await experimentEventTypes(s, device)).toEqual([EXPOSED, EXPOSED, CONVERTED])
  expect([await countsOf(s), await countsOf(s, 'second')]).toEqual([
    ['a 1/0', 'b 0/0'],
    ['a 1/1', 'b 0/0'],
  ])
})

test('another project’s experiment of the same key is not touched', async () => {
  await configure(s, { experiments: [{ id: 'exp_theirs', key: 'checkout_test', metrics: ['signup'] }] }, s.other.id)
  const options = { key: s.other.publicKey }
  await s.post('/v1/experiments/checkout_test/expose', { subscriberId: device, variantId: 'a' }, options)
  await expose(s, device, 'a')
  await track(s, device, [{ type: 'signup' }])
  const { assignments: a } = s.ctx.tables
  const [theirs] = await s.ctx.db.select().from(a).where(eq(a.experimentId, 'exp_theirs'))
  expect(theirs).toMatchObject({ projectId: s.other.id, convertedAt: null })
})
