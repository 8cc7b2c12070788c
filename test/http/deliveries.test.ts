import { afterEach, beforeEach, expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { createIds } from '../../src/base/lib/ids'
import { createContext } from '../../src/create-context'
import { pruneDeliveries } from '../../src/outward/deliveries/retention'
import { WEBHOOK_WAITS } from '../../src/outward/deliveries/schedule'
import { closeTarget, endClosed, orderTarget, successRates } from '../../src/outward/deliveries/targets'
import { pruneEvents } from '../../src/people/events/retention'
import { type Stage, stage } from '../support/cast'
import { answer, type Probe, probeKind, writeEvents } from '../support/probe-kind'

const TARGET = 'whe_00000000000000000000000001'
const SECOND_TARGET = 'whe_00000000000000000000000002'

let s: Stage
let probe: Probe
let ada: string
let bo: string
beforeEach(async () => {
  probe = probeKind()
  s = await stage({ slices: probe.slices })
  ada = await person('ada')
  bo = await person('bo')
})
afterEach(() => s.close())

async function person(label: string): Promise<string> {
  await s.get('/v1/me/entitlements', label)
  const { subscribers } = s.ctx.tables
  const rows = await s.ctx.db.select().from(subscribers).orderBy(asc(subscribers.id))
  return rows.at(-1)?.id ?? ''
}

const write = (subscriberId: string, count = 1) =>
  writeEvents(s.ctx, { id: subscriberId, projectId: s.project.id }, count)
const rows = () => s.ctx.db.select().from(s.ctx.tables.deliveries).orderBy(asc(s.ctx.tables.deliveries.position))
const run = () => s.ctx.state.dispatcher.runDue()
const seqs = (subscriberId: string) =>
  probe.sent.filter((one) => one.subscriberId === subscriberId).map(({ event }) => event?.seq)
const open = (isOrdered = false, targetId = TARGET) => probe.open(s.ctx, targetId, s.project.id, isOrdered)

test('each event is sent once to each target of its project, and to no other project', async () => {
  await open()
  await open(false, SECOND_TARGET)
  await probe.open(s.ctx, 'whe_00000000000000000000000003', s.other.id)
  await write(ada, 3)
  await run()
  await run()
  expect(probe.sent.map(({ targetId, event }) => [targetId, event?.seq]).sort()).toEqual([
    [TARGET, 1],
    [TARGET, 2],
    [TARGET, 3],
    [SECOND_TARGET, 1],
    [SECOND_TARGET, 2],
    [SECOND_TARGET, 3],
  ])
  expect((await rows()).map(({ status, attempts, dueAt }) => [status, attempts, dueAt])).toEqual(
    Array(6).fill(['SUCCEEDED', 1, null]),
  )
})

test('events of before the target was opened are none of its business', async () => {
  await write(ada, 2)
  await open()
  await write(ada, 1)
  await run()
  expect(seqs(ada)).toEqual([3])
})

test('ten attempts at their instants, and then it is dead', async () => {
  await open()
  probe.respond = () => answer(500)
  await write(ada)
  const from = s.ctx.clock.now()
  const begun: number[] = []
  for (const [index, waitMs] of WEBHOOK_WAITS.entries()) {
    const [row] = await rows()
    const dueAt = row?.dueAt ?? from
    const lastAt = begun.at(-1) ?? from
    if (index > 0) expect(Math.abs(dueAt - lastAt - waitMs)).toBeLessThanOrEqual(waitMs * 0.1)
    if (index > 1) {
      s.ctx.clock.set(dueAt - 1)
      await run()
      expect(probe.sent).toHaveLength(index)
    }
    s.ctx.clock.set(dueAt)
    begun.push(dueAt)
    await run()
    expect(probe.sent).toHaveLength(index + 1)
  }
  const [row] = await rows()
  expect(row).toMatchObject({ status: 'DEAD', attempts: 10, dueAt: null, openOrder: null, lastStatusCode: 500 })
  expect(row?.log).toHaveLength(10)
  expect(row?.log[0]).toMatchObject({ statusCode: 500, error: null, responseSnippet: 'answer 500' })
  s.ctx.clock.advance(30 * DAY)
  await run()
  expect(probe.sent).toHaveLength(10)
})

test('a receiver that asks to wait is not called before that, at most a day', async () => {
  await open()
  probe.respond = () => answer(429, { 'retry-after': '3600' })
  await write(ada)
  await run()
  s.ctx.clock.advance(HOUR - 1)
  await run()
  expect(probe.sent).toHaveLength(1)
  s.ctx.clock.advance(1)
  probe.respond = () => answer(503, { 'retry-after': new Date(s.ctx.clock.now() + 9 * DAY).toUTCString() })
  await run()
  expect(probe.sent).toHaveLength(2)
  s.ctx.clock.advance(DAY)
  await run()
  expect(probe.sent).toHaveLength(3)
})

test('410 ends the delivery and switches the target off, with everything that waits for it', async () => {
  await open()
  probe.respond = () => answer(500)
  await write(ada, 3)
  await run()
  probe.respond = () => answer(410)
  await write(ada)
  await run()
  expect(probe.disabled).toEqual([[TARGET, 'GONE']])
  expect((await rows()).map(({ status }) => status)).toEqual(Array(4).fill('DEAD'))
  const before = probe.sent.length
  s.ctx.clock.advance(DAY)
  await write(ada)
  await run()
  expect(probe.sent).toHaveLength(before)
})

test('five days without a success and fifty dead deliveries switch it off, less does not', async () => {
  await open()
  await write(ada)
  await run()
  probe.respond = () => ({ kind: 'dead', reason: 'broken' })
  s.ctx.clock.advance(5 * DAY - 1)
  await write(ada, 60)
  await run()
  expect(probe.disabled).toEqual([])
  s.ctx.clock.advance(1)
  await write(ada)
  await run()
  expect(probe.disabled).toEqual([[TARGET, 'FAILING']])
})

test('an ordered target gets the events of a subscriber one after the other, and others beside them', async () => {
  await open(true)
  let isDown = true
  probe.respond = ({ subscriberId }) => answer(isDown && subscriberId === ada ? 500 : 200)
  await write(ada, 3)
  await write(bo, 2)
  await run()
  expect([seqs(ada), seqs(bo)]).toEqual([[1], [1, 2]])
  await write(ada)
  s.ctx.clock.advance(MINUTE)
  await run()
  expect(seqs(ada)).toEqual([1, 1])
  isDown = false
  s.ctx.clock.advance(HOUR)
  await run()
  expect(seqs(ada)).toEqual([1, 1, 1, 2, 3, 4])
})

test('an ordered target goes on behind a dead delivery', async () => {
  await open(true)
  probe.respond = ({ event }) => (event?.seq === 1 ? { kind: 'dead', reason: 'broken' } : answer(200))
  await write(ada, 2)
  await run()
  expect(seqs(ada)).toEqual([1, 2])
})

test('without order what waited may begin', async () => {
  await open(true)
  probe.respond = () => answer(500)
  await write(ada, 3)
  await run()
  expect(seqs(ada)).toEqual([1])
  probe.respond = () => answer(200)
  await s.ctx.write((tx) => orderTarget(tx, TARGET, false))
  await run()
  expect(seqs(ada).sort()).toEqual([1, 2, 3])
})

test('an attempt that throws holds up no other, and is tried again', async () => {
  await open()
  probe.respond = ({ event }) => {
    if (event?.seq === 1) throw new Error('cannot be written')
    return answer(200)
  }
  await write(ada, 3)
  await run()
  expect((await rows()).map(({ status, lastError }) => [status, lastError])).toEqual([
    ['FAILED', 'internal'],
    ['SUCCEEDED', null],
    ['SUCCEEDED', null],
  ])
})

test('an outcome that cannot be saved holds up no other, and is sent again when its lease has run out', async () => {
  await open()
  await write(ada, 3)
  probe.onOutcome = ({ error }) => {
    if (error === 'status 418') throw new Error('cannot be saved')
  }
  probe.respond = ({ event, attempt }) => answer(event?.seq === 2 && attempt === 1 ? 418 : 200)
  await run()
  const statuses = async () => (await rows()).map(({ status }) => status)
  expect(await statuses()).toEqual(['SUCCEEDED', 'DELIVERING', 'SUCCEEDED'])
  expect(s.ctx.lines.filter((line) => line.includes('cannot be written'))).toHaveLength(1)
  probe.onOutcome = () => {}
  probe.respond = () => answer(200)
  s.ctx.clock.advance(MINUTE)
  await run()
  expect(await statuses()).toEqual(Array(3).fill('SUCCEEDED'))
  expect(seqs(ada)).toEqual([1, 2, 3, 2])
})

test('at most four attempts at once for one target, and one that hangs holds up no other', async () => {
  await open()
  await open(false, SECOND_TARGET)
  const hung = Promise.withResolvers<void>()
  let under = 0
  let most = 0
  probe.respond = () => answer(200)
  await write(ada)
  await run() // Both have answered well before.
  probe.respond = async ({ targetId }) => {
    if (targetId === SECOND_TARGET) return answer(200)
    most = Math.max(most, ++under)
    await hung.promise
    under--
    return answer(200)
  }
  await write(ada, 12)
  await s.ctx.state.dispatcher.tick()
  await until(async () => (await rows()).filter(({ status }) => status === 'SUCCEEDED').length === 14)
  expect(under).toBe(4)
  hung.resolve()
  await until(async () => (await rows()).every(({ status }) => status === 'SUCCEEDED'))
  await s.ctx.state.dispatcher.stop()
  expect(most).toBe(4)
  expect(probe.sent).toHaveLength(26)
})

test('one attempt at a time for a target that has never answered', async () => {
  await open()
  const hung = Promise.withResolvers<void>()
  probe.respond = async () => {
    await hung.promise
    return answer(200)
  }
  await write(ada, 12)
  await s.ctx.state.dispatcher.tick()
  await until(async () => probe.sent.length > 0)
  await s.ctx.state.dispatcher.tick()
  expect((await rows()).filter(({ status }) => status === 'DELIVERING')).toHaveLength(1)
  hung.resolve()
  await until(async () => (await rows()).every(({ status }) => status === 'SUCCEEDED'))
  await s.ctx.state.dispatcher.stop()
  expect(probe.sent).toHaveLength(12)
})

test('two hundred receivers that hang leave room for one that answers', async () => {
  const hung = Promise.withResolvers<void>()
  probe.respond = async ({ targetId }) => {
    if (targetId !== TARGET) await hung.promise
    return answer(200)
  }
  await open()
  await write(ada)
  await run()
  for (let n = 100; n < 300; n++) await open(false, `whe_${String(n).padStart(26, '0')}`)
  await write(ada)
  await s.ctx.state.dispatcher.tick()
  await until(
    async () =>
      (await rows()).filter(({ targetId, status }) => targetId === TARGET && status === 'SUCCEEDED').length === 2,
  )
  await until(async () => probe.sent.length > 35)
  expect((await rows()).filter(({ status }) => status === 'DELIVERING').length).toBeLessThanOrEqual(64)
  hung.resolve()
  await until(async () => (await rows()).every(({ status }) => status === 'SUCCEEDED'))
  await s.ctx.state.dispatcher.stop()
})

test('an event with an open delivery is kept, whatever its age', async () => {
  await open()
  probe.respond = () => answer(500)
  await write(ada, 2)
  await run()
  probe.respond = ({ event }) => answer(event?.seq === 1 ? 200 : 500)
  s.ctx.clock.advance(MINUTE)
  await run()
  expect((await rows()).map(({ status }) => status)).toEqual(['SUCCEEDED', 'FAILED'])
  s.ctx.clock.advance(40 * DAY)
  await pruneEvents(s.ctx)
  expect((await s.events(ada)).map(({ seq }) => seq)).toEqual([2])
  expect(await pruneDeliveries(s.ctx)).toBe(1)
  expect(await rows()).toHaveLength(1)
  probe.respond = () => answer(200)
  await run()
  await pruneEvents(s.ctx)
  expect(await s.events(ada)).toEqual([])
})

test('events that nobody has looked at yet are kept', async () => {
  await open()
  await write(ada, 2)
  s.ctx.clock.advance(40 * DAY)
  await pruneEvents(s.ctx)
  await run()
  expect(seqs(ada)).toEqual([1, 2])
})

test('a closed target ends everything that waits, page by page', async () => {
  await open()
  probe.respond = () => answer(500)
  await write(ada, 1500)
  // One attempt fails; from then on the target gets one at a time, so most of them have not begun.
  s.ctx.state.dispatcher.runDue().catch(() => {})
  await until(async () => (await rows()).length === 1500)
  await s.ctx.write((tx) => closeTarget(tx, { targetId: TARGET, kind: 'WEBHOOK' }, 'deleted'))
  expect((await rows()).filter(({ openOrder }) => openOrder !== null)).toHaveLength(500)
  const [job] = await s.ctx.db.select().from(s.ctx.tables.jobs)
  expect(job?.name).toBe('deliveries.end_closed')
  await endClosed.run(s.ctx, job?.payload, () => false)
  expect((await rows()).every(({ status, lastError }) => status === 'DEAD' && lastError === 'deleted')).toBe(true)
})

test('the share of successes is counted over the last day', async () => {
  await open()
  probe.respond = ({ event }) => answer((event?.seq ?? 0) <= 3 ? 200 : 500)
  await write(ada, 4)
  await run()
  expect((await successRates(s.ctx, [TARGET])).get(TARGET)).toBe(0.75)
  s.ctx.clock.advance(25 * HOUR)
  expect((await successRates(s.ctx, [TARGET])).size).toBe(0)
})

test('two processes share the work, and nothing is sent twice', async () => {
  await open()
  await open(true, SECOND_TARGET)
  const other = await beside()
  for (let n = 0; n < 20; n++) await write(n % 2 === 0 ? ada : bo, 5)
  await Promise.all([run(), other.state.dispatcher.runDue()])
  await run()
  await other.close()
  expect(probe.sent).toHaveLength(200)
  expect(new Set(probe.sent.map(({ id }) => id)).size).toBe(200)
  const ordered = probe.sent.filter(({ targetId, subscriberId }) => targetId === SECOND_TARGET && subscriberId === ada)
  expect(ordered.map(({ event }) => event?.seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
})

test('what a killed process had under way is sent again when its lease has run out', async () => {
  await open(true)
  const other = await beside()
  await write(ada, 2)
  probe.respond = () => new Promise(() => {})
  void other.state.dispatcher.runDue()
  await until(async () => probe.sent.length === 1)
  probe.respond = () => answer(200)
  s.ctx.clock.advance(60 * SECOND - 1)
  await run()
  expect(seqs(ada)).toEqual([1])
  s.ctx.clock.advance(1)
  await run()
  expect(seqs(ada)).toEqual([1, 1, 2])
  await other.close()
})

/** A second process on the same database. */
const beside = () =>
  createContext(s.ctx.config, {
    clock: s.ctx.clock,
    log: s.ctx.log,
    ids: createIds(() => s.ctx.clock.now()),
    slices: probe.slices,
  })

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate)
}
