import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { registryOf } from '../../src/background'
import { Worker } from '../../src/base/jobs/worker'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import * as reopen from '../../src/outward/deliveries/reopen'
import { SLICES } from '../../src/slices'
import { type Answer, type Stage, stage } from '../support/cast'
import { delivered, deliveryRows, deviceOwner, endpoint, happen } from '../support/deliveries'
import { auditRows, changes, dataOf } from '../support/operator'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
let ada: string
beforeEach(async () => {
  s = await stage()
  ada = await deviceOwner(s, 'svc_ada')
  team = staff(s)
})
afterEach(() => s.close())

const PATH = '/webhook-deliveries/replay'
const always = () => ({ from: toIso(s.ctx.clock.now() - 1000 * HOUR), to: toIso(s.ctx.clock.now()) })
const replay = (endpointId: string, more: object = {}): Promise<Answer> =>
  team.as('DEVELOPER').post(PATH, { endpointId, ...always(), ...more })
const sent = async (): Promise<(string | null)[]> => (await deliveryRows(s)).map(({ eventId }) => eventId)
const work = () => new Worker(s.ctx, registryOf(SLICES)).runDue()

/** As `happen`, for a page and more. */
async function many(count: number, type?: string): Promise<string[]> {
  return happen(
    s,
    ada,
    Array.from({ length: count }, () => (type === undefined ? {} : { type })),
  )
}

async function refused(call: () => Promise<Answer>, status: number, code: string) {
  const before = [await deliveryRows(s), await auditRows(s)]
  const { body, ...answer } = await call()
  expect([answer.status, body?.error?.code]).toEqual([status, code])
  expect([await deliveryRows(s), await auditRows(s)]).toEqual(before)
  return body.error
}

describe('a replay', () => {
  test('delivers every kept event of the range again, in feed order', async () => {
    await many(2)
    s.ctx.clock.advance(HOUR)
    const from = toIso(s.ctx.clock.now())
    const wanted = await many(2)
    s.ctx.clock.advance(HOUR)
    const to = toIso(s.ctx.clock.now())
    wanted.push(...(await many(1)))
    s.ctx.clock.advance(1)
    await many(2)
    // The endpoint is younger than the events.
    const id = await endpoint(s)
    const data = await changes(s, () => replay(id, { from, to }), ['webhookDelivery.replay'])
    expect(data).toEqual({ queued: 3 })
    expect(await sent()).toEqual(wanted)
    expect((await deliveryRows(s)).every(({ status, attempts }) => status === 'PENDING' && attempts === 0)).toBe(true)
    expect((await auditRows(s)).at(-1)).toMatchObject({ after: { endpointId: id, from, to, types: [], queued: 3 } })
  })

  test('leaves out what the endpoint does not want and what `types` does not name', async () => {
    const [renewed = ''] = await happen(s, ada, [{}])
    const [expired = ''] = await happen(s, ada, [{ type: 'purchase.expired' }])
    await happen(s, ada, [{ type: 'entitlement.granted' }, { environment: 'SANDBOX' }])
    const id = await endpoint(s, { eventTypes: ['purchase.*'], environments: ['PRODUCTION'] })
    expect(await dataOf(replay(id))).toEqual({ queued: 2 })
    expect(await sent()).toEqual([renewed, expired])
    expect(await dataOf(replay(id, { types: ['purchase.renewed', 'entitlement.*'] }))).toEqual({ queued: 1 })
    expect(await dataOf(replay(id, { types: ['*'] }))).toEqual({ queued: 2 })
  })

  test('asked for twice delivers twice; with an Idempotency-Key once', async () => {
    const wanted = await many(2)
    const id = await endpoint(s)
    expect(await dataOf(replay(id))).toEqual({ queued: 2 })
    expect(await dataOf(replay(id))).toEqual({ queued: 2 })
    expect(await sent()).toEqual([...wanted, ...wanted])
    const again = () =>
      team.as('DEVELOPER').post(PATH, { endpointId: id, ...always() }, { headers: { 'idempotency-key': 'one' } })
    expect([(await again()).body.data, (await again()).body.data]).toEqual([{ queued: 2 }, { queued: 2 }])
    expect(await sent()).toHaveLength(6)
  })

  test('of nothing writes nothing', async () => {
    const id = await endpoint(s, { eventTypes: ['import.committed'] })
    await many(3)
    expect(await changes(s, () => replay(id), [])).toEqual({ queued: 0 })
    expect(await sent()).toEqual([])
  })

  test('on an ordered endpoint lets one delivery of a subscriber begin', async () => {
    const bo = await deviceOwner(s, 'svc_bo')
    await many(3)
    await happen(s, bo, [{}, {}])
    const id = await endpoint(s, { ordered: true })
    expect(await dataOf(replay(id))).toEqual({ queued: 5 })
    const rows = await deliveryRows(s)
    expect(rows.map(({ dueAt }) => dueAt !== null)).toEqual([true, false, false, true, false])
    expect(rows.map(({ openOrder }) => openOrder)).toEqual(rows.map(({ eventPosition }) => eventPosition))
  })
})

describe('a long replay', () => {
  const COUNT = 1_203

  test('is finished by a job; the answer tells the whole number', async () => {
    const wanted = await many(COUNT)
    await many(5, 'entitlement.granted')
    const id = await endpoint(s, { eventTypes: ['purchase.*'] })
    expect(await changes(s, () => replay(id), ['webhookDelivery.replay'])).toEqual({ queued: COUNT })
    expect(await sent()).toEqual(wanted.slice(0, 500))
    await work()
    expect(await sent()).toEqual(wanted)
    expect(await s.ctx.db.select().from(s.ctx.tables.deliveryReplays)).toEqual([])
    expect(await work()).toBe(0)
  })

  test('that stops in the middle goes on: nothing is lost, nothing is doubled', async () => {
    const wanted = await many(COUNT)
    const id = await endpoint(s, { ordered: true })
    await dataOf(replay(id))
    const real = reopen.reopenEvents
    let calls = 0
    // The second page fails after its deliveries are written, and the page after it is committed before the job dies.
    const page = spyOn(reopen, 'reopenEvents').mockImplementation(async (...given) => {
      const drafts = await real(...given)
      if (++calls === 1) throw new Error('the process died')
      return drafts
    })
    for (let round = 0; round < 5; round++) {
      await work()
      s.ctx.clock.advance(HOUR)
    }
    page.mockRestore()
    expect(calls).toBeGreaterThan(1)
    expect(await sent()).toEqual(wanted)
    expect((await deliveryRows(s)).filter(({ dueAt }) => dueAt !== null)).toHaveLength(1)
  })

  test('run by two workers at once doubles nothing', async () => {
    const wanted = await many(COUNT)
    await dataOf(replay(await endpoint(s)))
    const [replayed] = await s.ctx.db.select().from(s.ctx.tables.deliveryReplays)
    const job = registryOf(SLICES).jobs.get('deliveries.replay')
    const run = () => job?.run(s.ctx, { replayId: replayed?.id }, () => false)
    await Promise.all([run(), run(), run()])
    await run()
    expect(await sent()).toEqual(wanted)
  })

  test('goes on after a stop of the server', async () => {
    const wanted = await many(COUNT)
    await dataOf(replay(await endpoint(s)))
    const job = registryOf(SLICES).jobs.get('deliveries.replay')
    const [replayed] = await s.ctx.db.select().from(s.ctx.tables.deliveryReplays)
    await job?.run(s.ctx, { replayId: replayed?.id }, () => true)
    expect(await sent()).toHaveLength(1000)
    await work()
    expect(await sent()).toEqual(wanted)
  })

  test('ends when the endpoint is switched off meanwhile', async () => {
    await many(COUNT)
    const id = await endpoint(s)
    await dataOf(replay(id))
    await dataOf(team.as('DEVELOPER').patch(`/webhook-endpoints/${id}`, { isEnabled: false }))
    await work()
    expect(await sent()).toHaveLength(500)
    expect((await deliveryRows(s)).every(({ status }) => status === 'DEAD')).toBe(true)
    expect(await s.ctx.db.select().from(s.ctx.tables.deliveryReplays)).toEqual([])
  })
})

describe('a replay is refused', () => {
  test('for an endpoint that is switched off, unknown, deleted or of another project', async () => {
    await many(1)
    const id = await endpoint(s, { isEnabled: false })
    const off = await refused(() => replay(id), 409, 'CONFLICT')
    expect(off.message).toContain('switch it on')
    for (const unknown of ['whe_00000000000000000000000099', 'x'])
      await refused(() => replay(unknown), 404, 'NOT_FOUND')
    await dataOf(team.as('DEVELOPER').delete(`/webhook-endpoints/${id}`))
    await refused(() => replay(id), 404, 'NOT_FOUND')
    await delivered(s, { targetId: 'whe_foreign', projectId: s.other.id })
    await refused(() => replay('whe_foreign'), 404, 'NOT_FOUND')
    await delivered(s, { targetId: 'whe_gone' })
    await refused(() => replay('whe_gone'), 409, 'CONFLICT')
  })

  test('for a body that is not one', async () => {
    const id = await endpoint(s)
    const bad = [
      { from: 'yesterday' },
      { to: '2026-13-01T00:00:00Z' },
      { from: 1 },
      { from: toIso(s.ctx.clock.now()), to: toIso(s.ctx.clock.now() - 1) },
      { types: 'purchase.*' },
      { types: ['purchase.%'] },
      { types: ['PURCHASE'] },
      { types: Array.from({ length: 51 }, () => '*') },
      { limit: 1 },
      { endpointId: null },
      { endpointId: '' },
    ]
    for (const more of bad) await refused(() => replay(id, more), 400, 'VALIDATION_ERROR')
    await refused(() => team.as('DEVELOPER').post(PATH, { endpointId: id }), 400, 'VALIDATION_ERROR')
    s.ctx.clock.advance(MINUTE)
  })

  test('with 503 when the database does not take it, and nothing is written', async () => {
    await many(600)
    const id = await endpoint(s)
    const write = spyOn(s.ctx, 'write').mockImplementation(async () => {
      throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
    })
    const { status, body } = await replay(id)
    write.mockRestore()
    expect([status, body.error.code, body.error.details]).toEqual([503, 'QUEUE_UNAVAILABLE', { queue: 'webhook' }])
    expect(await sent()).toEqual([])
    expect(await s.ctx.db.select().from(s.ctx.tables.deliveryReplays)).toEqual([])
  })
})
