import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import {
  ADA,
  assignmentsOf,
  BO,
  change,
  countsOf,
  experimentEvents,
  experimentEventTypes,
  expose,
} from '../support/experiments'
import { changeSettings, damage, everything, expectRefused, identify, rowOf } from '../support/facts'
import { clearRemote, configOf, configure, HALVES, variantsOf } from '../support/remote'

let s: Stage
let startedAt: number
beforeAll(async () => {
  s = await stage()
})
beforeEach(async () => {
  s.ctx.clock.advance(MINUTE)
  startedAt = s.ctx.clock.now()
  await configure(s, { experiments: [{ id: 'exp_1', key: 'checkout_test', startedAt, metrics: ['purchase'] }] })
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

const iso = (at: number) => new Date(at).toISOString()
/** Its bucket of checkout_test is 8362, that of the second half. */
const GUS = 'svc_gus'
const [CONTROL, TREATMENT] = HALVES as [(typeof HALVES)[0], (typeof HALVES)[0]]

test('a member that takes one of several forms says which', async () => {
  const exposeWith = async (body: object) =>
    (await s.post('/v1/experiments/checkout_test/expose', { subscriberId: 'svc_x', variantId: 'a', ...body })).body
      .error.message
  expect(await exposeWith({ platform: 'tv' })).toBe('body/platform: Expected ios, android, web or null')
  expect(await exposeWith({ country: 'TUR' })).toBe('body/country: Expected string matching ^[A-Za-z]{2}$ or null')
  expect(await exposeWith({ placementId: 5 })).toBe(
    'body/placementId: Expected string of at most 64 characters or null',
  )
})

describe('refused, and nothing is written', () => {
  const refuse = (name: string, body: Record<string, unknown>, code = 'VALIDATION_ERROR', status = 400) =>
    test(name, async () => {
      const full = { subscriberId: 'svc_stranger', variantId: 'a', ...body }
      await expectRefused(s, () => s.post('/v1/experiments/checkout_test/expose', full), status, code)
    })
  refuse('no variant', { variantId: undefined })
  refuse('a variant that is not declared', { variantId: 'c' })
  refuse('no subscriber', { subscriberId: undefined })
  refuse('a blank subscriber', { subscriberId: '  ' })
  refuse('the key of a synthetic subscriber', { subscriberId: 'ios:1' })
  refuse('a control character in the device key', { subscriberId: 'a\u0007' })
  refuse('another platform', { platform: 'tv' })
  refuse('a country of three letters', { country: 'TUR' })
  refuse('a placement with NUL', { placementId: 'a\0' })
  refuse('a time without a zone', { exposedAt: '2026-11-20T08:00:00' })
  refuse('a number as time', { exposedAt: 5 })
  refuse('a time before the start', { exposedAt: '2026-11-01T00:00:00Z' }, 'exposure_out_of_range')
  refuse('a time far ahead', { exposedAt: '2026-12-01T00:00:00Z' }, 'exposure_out_of_range')

  for (const status of ['DRAFT', 'PAUSED', 'COMPLETED'] as const)
    test(`an experiment that is ${status}`, async () => {
      await change(s, 'checkout_test', { status })
      for (const variantId of ['a', 'c'])
        await expectRefused(s, () => expose(s, 'svc_stranger', variantId), 409, 'EXPERIMENT_NOT_RUNNING')
    })

  test('an experiment that nobody has, or another project', async () => {
    await configure(s, { experiments: [{ id: 'exp_theirs', key: 'theirs' }] }, s.other.id)
    for (const reference of ['exp_none', 'none', 'exp_theirs', 'theirs', 'x'.repeat(64)])
      await expectRefused(s, () => expose(s, 'svc_stranger', 'a', {}, reference), 404, 'NOT_FOUND')
  })

  test('a broken merge chain', async () => {
    await s.get('/v1/me', 'svc_broken')
    await damage(s, (await rowOf(s, 'svc_broken')).id, { mergedInto: 'sub_gone' })
    await expectRefused(s, () => expose(s, 'svc_broken', 'a'), 409, 'SUBSCRIBER_UNRESOLVABLE')
  })

  test('the border of the time, on both sides', async () => {
    const now = s.ctx.clock.now()
    const at = (exposedAt: number) => expose(s, `svc_border_${exposedAt}`, 'a', { exposedAt: iso(exposedAt) })
    for (const out of [startedAt - 1, now + 5 * MINUTE + 1])
      await expectRefused(s, () => at(out), 400, 'exposure_out_of_range')
    for (const inside of [startedAt, now + 5 * MINUTE]) expect((await at(inside)).status).toBe(200)
  })
})

describe('an exposure', () => {
  test('is told once, with its data, and writes the assignment that was not there', async () => {
    const more = { placementId: 'plc_1', platform: 'ios', country: 'tr', unknown: true }
    const answer = await expose(s, 'svc_new', 'b', more)
    expect([answer.status, answer.body]).toEqual([200, { data: { accepted: true } }])
    const { id } = await rowOf(s, 'svc_new')
    const now = s.ctx.clock.now()
    expect(await assignmentsOf(s)).toEqual([
      {
        ...{ experimentId: 'exp_1', subscriberId: id, projectId: s.project.id, variantId: 'b', hashVersion: 1 },
        ...{ assignedAt: now, exposedAt: now, placementId: 'plc_1', platform: 'ios', country: 'TR' },
        ...{ convertedAt: null, crossedAt: null },
      },
    ])
    const data = { experimentId: 'exp_1', key: 'checkout_test', variantId: 'b', placementId: 'plc_1' }
    expect(await experimentEvents(s, 'svc_new')).toEqual([{ type: 'experiment.exposed', data }])
    expect(await variantsOf(s, 'svc_new')).toEqual({ checkout_test: 'b' })
  })

  test('by id counts as by key', async () => {
    for (const reference of ['exp_1', 'checkout_test'])
      expect((await expose(s, 'svc_either', 'a', {}, reference)).status).toBe(200)
    expect(await experimentEventTypes(s, 'svc_either')).toEqual(['experiment.exposed'])
  })

  test('again, later, earlier or with other data changes nothing', async () => {
    await expose(s, 'svc_again', 'a')
    s.ctx.clock.advance(MINUTE)
    const before = await everything(s)
    for (const more of [{}, { exposedAt: iso(startedAt) }, { placementId: 'plc_9' }])
      expect((await expose(s, 'svc_again', 'a', more)).status).toBe(200)
    expect(await everything(s)).toEqual(before)
  })

  test('a hundred times at once is one', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => expose(s, 'svc_storm', 'a')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await experimentEventTypes(s, 'svc_storm')).toEqual(['experiment.exposed'])
    expect(await countsOf(s)).toEqual(['a 1/0', 'b 0/0'])
  })

  test('of two variants at once is one, and the other is refused', async () => {
    const calls = Array.from({ length: 20 }, (_, n) => expose(s, 'svc_torn', n % 2 === 0 ? 'a' : 'b'))
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(10).fill(400)])
    expect(await assignmentsOf(s)).toHaveLength(1)
    expect(await experimentEventTypes(s, 'svc_torn')).toEqual(['experiment.exposed'])
  })

  test('is counted and told in its metric', async () => {
    const read = async () => Number(/svc_experiment_exposures_total (\d+)/.exec(await s.ctx.metrics.text())?.[1])
    const before = await read()
    for (let turn = 0; turn < 3; turn++) await expose(s, 'svc_metric', 'a')
    expect(await read()).toBe(before + 1)
  })
})

describe('a variant that a read has given', () => {
  test('is binding before it is written, and then written once', async () => {
    expect(await variantsOf(s, BO)).toEqual({ checkout_test: 'b' })
    await expectRefused(s, () => expose(s, BO, 'a'), 400, 'VALIDATION_ERROR')
    const drawnAt = s.ctx.clock.now()
    s.ctx.clock.advance(10)
    expect((await expose(s, BO, 'b')).status).toBe(200)
    const written = await assignmentsOf(s)
    expect(written).toMatchObject([{ variantId: 'b', assignedAt: drawnAt, exposedAt: drawnAt + 10 }])
    await s.ctx.state.assignments.flush()
    expect(await assignmentsOf(s)).toEqual(written)
  })

  test('exposed while it is being written is neither lost nor doubled', async () => {
    const devices = Array.from({ length: 12 }, (_, n) => `svc_meanwhile_${n}`)
    const drawn = await Promise.all(devices.map((device) => variantsOf(s, device)))
    const exposing = devices.map((device, n) => expose(s, device, drawn[n]?.checkout_test ?? ''))
    const [answers] = await Promise.all([Promise.all(exposing), s.ctx.state.assignments.flush()])
    await s.ctx.state.assignments.flush()
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const rows = await assignmentsOf(s)
    expect([rows.length, rows.every(({ exposedAt }) => exposedAt !== null)]).toEqual([12, true])
  })

  test('that was removed since binds nobody: the exposure stays, and the person has crossed', async () => {
    await expose(s, GUS, 'b')
    const { id } = await rowOf(s, GUS)
    await change(s, 'checkout_test', { variants: [CONTROL, { ...TREATMENT, id: 'c' }] })
    const exposedAt = s.ctx.clock.now()
    s.ctx.clock.advance(MINUTE)
    expect(await variantsOf(s, GUS)).toEqual({ checkout_test: 'c' })
    await expectRefused(s, () => expose(s, GUS, 'b'), 400, 'VALIDATION_ERROR')
    expect((await expose(s, GUS, 'c')).status).toBe(200)
    const crossed = { subscriberId: id, variantId: 'c', exposedAt, crossedAt: exposedAt + MINUTE }
    expect(await assignmentsOf(s)).toMatchObject([crossed])
    await s.ctx.state.assignments.flush()
    expect(await assignmentsOf(s)).toMatchObject([crossed])
    expect(await experimentEventTypes(s, GUS)).toEqual(['experiment.exposed'])
    expect(await countsOf(s)).toEqual(['a 0/0', 'c 1/0'])
  })
})

describe('who is left out', () => {
  test('somebody held out is accepted and not counted', async () => {
    await changeSettings(s, { holdoutPercentage: 100 })
    const before = (await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)).length
    for (let turn = 0; turn < 2; turn++) expect((await expose(s, ADA, 'a')).status).toBe(200)
    expect(await assignmentsOf(s)).toEqual([])
    expect(await s.ctx.db.$count(s.ctx.tables.events)).toBe(before)
    await changeSettings(s, {})
  })

  test('somebody erased is accepted and stays empty', async () => {
    await s.get('/v1/me', 'svc_erased')
    await damage(s, (await rowOf(s, 'svc_erased')).id, { erasedAt: 1 })
    const before = await everything(s)
    expect((await expose(s, 'svc_erased', 'a')).status).toBe(200)
    expect(await everything(s)).toEqual(before)
  })
})

test('the device key of a merged row speaks for the survivor', async () => {
  await identify(s, 'svc_old', 'zoe')
  await identify(s, 'svc_young', 'zoe')
  expect((await expose(s, 'svc_old', 'a')).status).toBe(200)
  await expectRefused(s, () => expose(s, 'svc_young', 'b'), 400, 'VALIDATION_ERROR')
  expect(await assignmentsOf(s)).toMatchObject([{ subscriberId: (await rowOf(s, 'svc_young')).id }])
  expect((await configOf(s, 'svc_young')).body.data.experiments.checkout_test.variantId).toBe('a')
})

test('a key is needed, of either kind, and an Idempotency-Key replays', async () => {
  const body = { subscriberId: 'svc_keys', variantId: 'a' }
  const post = (key: string | null) =>
    s.post('/v1/experiments/exp_1/expose', body, { key, headers: { 'idempotency-key': 'one' } })
  expect((await post(null)).status).toBe(401)
  for (const key of [s.project.secretKey, s.project.publicKey]) {
    expect((await post(key)).headers.get('idempotent-replay')).toBeNull()
    expect((await post(key)).headers.get('idempotent-replay')).toBe('true')
  }
})
