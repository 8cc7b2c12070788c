import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { DAY, HOUR, SECOND } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { deviceOwner, happen } from '../support/deliveries'
import { buyLive } from '../support/live-purchases'
import { holdTimers } from '../support/pauses'
import { type Staff, staff, staffId } from '../support/staff'
import { askStream, type Frame, type HeldStream, holdStream } from '../support/stream'

const NOW = Date.UTC(2026, 10, 20, 8)

let s: Stage
let team: Staff
const open: HeldStream[] = []
beforeEach(async () => {
  s = await stage({ now: NOW })
  team = staff(s)
})
afterEach(async () => {
  s.ctx.state.eventStreams.drain()
  for (const held of open.splice(0)) await held.leave().catch(() => {}) // One that was cut says so again.
  await s.close()
})

interface Ask {
  role?: string
  headers?: Record<string, string>
  projectId?: string
  method?: string
}

const ask = ({ role = 'CUSTOMER_SUPPORT', headers = {}, projectId = s.project.id, method = 'GET' }: Ask = {}) =>
  askStream(s, `/dashboard/projects/${projectId}/overview/live`, {
    ...{ key: null, method, headers: { cookie: `svc_session=${role}`, ...headers } },
  })

async function stream(options: Ask = {}): Promise<HeldStream> {
  const held = holdStream(await ask(options))
  open.push(held)
  return held
}

/** The frames of the state with which each stream begins. */
async function begin(held: HeldStream, stores = 0): Promise<Frame[]> {
  const frames: Frame[] = []
  while (frames.length < 6 + stores) frames.push((await held.next()) ?? { event: 'end', data: '' })
  return frames
}

/** Everything up to the first frame that fits. */
const until = (held: HeldStream, fits: (frame: Frame) => boolean): Promise<Frame[]> => untilAll(held, [fits])

/** The frames until each of some was among them: what one write changes may be told one after the other. */
async function untilAll(held: HeldStream, all: readonly ((frame: Frame) => boolean)[]): Promise<Frame[]> {
  const frames: Frame[] = []
  for (;;) {
    const frame = await held.next()
    if (!frame) throw new Error(`the stream ended after ${JSON.stringify(frames)}`)
    frames.push(frame)
    if (all.every((fits) => frames.some(fits))) return frames
  }
}

const isFigure =
  (name: string) =>
  ({ event, data }: Frame) =>
    event === 'figure' && JSON.parse(data).name === name

const dataOf = (frame: Frame | undefined) => JSON.parse(frame?.data ?? 'null')
const tick = () => s.ctx.state.liveOverviews.tick()

describe('the live overview', () => {
  test('begins with the whole state, as the overview has it', async () => {
    await buyLive(s, 'svc_ada')
    const held = await stream()
    const { headers } = held.response
    expect([headers.get('content-type'), headers.get('x-accel-buffering')]).toEqual(['text/event-stream', 'no'])
    const frames = await begin(held)
    expect(frames.map(({ event }) => event)).toEqual(['first', ...Array.from({ length: 5 }, () => 'figure')])
    const { body } = await team.as('OWNER').get('/overview')
    expect(dataOf(frames[0])).toEqual(body.data.first)
    for (const frame of frames.slice(1)) {
      const { name, ...figure } = dataOf(frame)
      expect(figure).toEqual(body.data[name])
    }
  })

  test('tells a purchase: its events, and the figures that it changes, and no other', async () => {
    const held = await stream()
    await begin(held)
    await buyLive(s, 'svc_ada')
    const changed = ['mrr', 'activeSubscriptions', 'revenue30d', 'newSubscribers30d']
    const isInitial = (frame: Frame) => frame.event === 'event' && dataOf(frame).type === 'purchase.initial'
    const frames = await untilAll(held, [...changed.map(isFigure), isInitial])
    const names = frames.filter(({ event }) => event === 'figure').map((frame) => dataOf(frame).name)
    expect(new Set(names)).toEqual(new Set(changed))
    expect(dataOf(frames.find(isFigure('mrr')))).toMatchObject({ value: 9_990_000, previous: 0 })
    const told = frames.filter(({ event }) => event === 'event')
    expect(told.map((frame) => dataOf(frame).type)).toContain('purchase.initial')
    for (const frame of told) {
      expect(frame.id).toBeString()
      expect(Object.keys(dataOf(frame))).toEqual(['id', 'type', 'subscriberId', 'person', 'environment', 'at'])
    }
  })

  test('tells many changes of a second as one, with the last value', async () => {
    const held = await stream()
    await begin(held)
    // The clock stands still, and a second is over when the test says so: any number of purchases fits into it.
    const nowMs = performance.now()
    const time = spyOn(performance, 'now').mockImplementation(() => nowMs)
    const second = holdTimers(SECOND)
    for (let index = 0; index < 30; index++) await buyLive(s, `svc_${index}`)
    time.mockRestore()
    second.release()
    const values: number[] = []
    while (values.at(-1) !== 30) {
      const [frame] = (await until(held, isFigure('activeSubscriptions'))).slice(-1)
      values.push(dataOf(frame).value)
    }
    expect(values.length).toBeLessThanOrEqual(2)
  })

  test('tells the first call at once, the first purchase when it comes, and each once', async () => {
    const held = await stream()
    expect(dataOf((await begin(held))[0])).toEqual({ call: null, purchase: null })
    await s.get('/v1/me', 'svc_ada')
    const called = await until(held, ({ event }) => event === 'first')
    expect(dataOf(called.at(-1))).toEqual({ call: toIso(NOW), purchase: null })
    await buyLive(s, 'svc_ada')
    const bought = await until(held, isFigure('revenue30d'))
    const firsts = bought.filter(({ event }) => event === 'first')
    expect(firsts.map(dataOf)).toEqual([{ call: toIso(NOW), purchase: toIso(NOW) }])
    await s.ctx.state.firstCalls.save()
    await s.get('/v1/me', 'svc_bo')
    s.ctx.clock.advance(1000)
    await buyLive(s, 'svc_bo', { product: YEARLY })
    const later = await until(held, isFigure('revenue30d'))
    expect(later.filter(({ event }) => event === 'first')).toEqual([])
  })

  test('tells when a store has notified', async () => {
    const held = await stream()
    await begin(held)
    const { storeEvents: e } = s.ctx.tables
    const id = s.ctx.ids.next('sev')
    await s.ctx.write((tx) =>
      tx.db.insert(e).values({
        ...{ id, projectId: s.project.id, store: 'PAYMENT', notificationId: id, type: 'TEST', status: 'PROCESSED' },
        ...{ body: '{}', attempts: 1, eventAt: NOW - 250, receivedAt: NOW, postedAt: NOW, processedAt: NOW },
      }),
    )
    tick()
    const [store] = (await until(held, ({ event }) => event === 'store')).slice(-1)
    expect(dataOf(store)).toMatchObject({ store: 'payment', lastNotificationAt: toIso(NOW), medianDelayMs: 250 })
  })

  test('tells what time alone changes', async () => {
    await buyLive(s, 'svc_ada', { autoRenews: false })
    const held = await stream()
    await begin(held)
    s.ctx.clock.advance(40 * DAY)
    tick()
    const frames = await until(held, isFigure('activeSubscriptions'))
    expect(dataOf(frames.at(-1))).toMatchObject({ value: 0, previous: 1 })
  })

  test('has nothing of another project', async () => {
    const held = await stream()
    await begin(held)
    await buyLive(s, 'svc_bo', { projectId: s.other.id })
    await s.get('/v1/me', 'svc_bo', { key: s.other.publicKey })
    tick()
    await buyLive(s, 'svc_ada')
    const frames = await untilAll(held, [
      isFigure('activeSubscriptions'),
      ({ event }) => event === 'first',
      ({ event }) => event === 'event',
    ])
    expect(dataOf(frames.find(isFigure('activeSubscriptions'))).value).toBe(1)
    expect(frames.filter(({ event }) => event === 'first')).toHaveLength(1)
    expect(frames.filter(({ event }) => event === 'event').map((one) => dataOf(one).subscriberId)).not.toContain(null)
    expect(new Set(frames.filter(({ event }) => event === 'event').map((one) => dataOf(one).subscriberId)).size).toBe(1)
  })

  test('goes on behind the last event for a client that comes back, and has no event twice', async () => {
    const ada = await deviceOwner(s, 'svc_ada')
    const held = await stream()
    await begin(held)
    const [seen = ''] = await happen(s, ada, [{}])
    const [frame] = (await until(held, ({ event }) => event === 'event')).slice(-1)
    expect(dataOf(frame).id).toBe(seen)
    await held.leave()
    const missed = await happen(s, ada, [{}, { type: 'purchase.expired' }])
    const again = await stream({ headers: { 'last-event-id': frame?.id ?? '' } })
    const told = await until(again, (one) => one.event === 'event' && dataOf(one).id === missed.at(-1))
    expect(told.filter(({ event }) => event === 'event').map((one) => dataOf(one).id)).toEqual(missed)
    const [next = ''] = await happen(s, ada, [{}])
    const after = await until(again, ({ event }) => event === 'event')
    expect(dataOf(after.at(-1)).id).toBe(next)
  })

  test('tells the newest fifty of many events', async () => {
    const ada = await deviceOwner(s, 'svc_ada')
    const held = await stream()
    await begin(held)
    const ids = await happen(
      s,
      ada,
      Array.from({ length: 80 }, () => ({})),
    )
    const told = await until(held, (frame) => frame.event === 'event' && dataOf(frame).id === ids.at(-1))
    expect(told.filter(({ event }) => event === 'event').map((one) => dataOf(one).id)).toEqual(ids.slice(-50))
  })

  test('takes a cursor that is none, or of another project, for none', async () => {
    for (const id of ['x', 'ZXZ0OjE6MTph'])
      expect((await begin(await stream({ headers: { 'last-event-id': id } })))[0]?.event).toBe('first')
  })

  test('is kept alive by pings', async () => {
    const held = await stream()
    await begin(held)
    s.ctx.state.eventStreams.ping()
    expect(await held.next()).toMatchObject({ event: 'ping', data: '' })
  })
})

describe('a live overview ends', () => {
  test('when the session or the membership is over', async () => {
    const { eventStreams } = s.ctx.state
    const ends: [role: string, end: () => unknown][] = [
      ['GROWTH', () => team.sessions.sessions.delete('GROWTH')],
      ['DEVELOPER', () => team.sessions.roles.delete(`${staffId('DEVELOPER')} ${s.project.id}`)],
    ]
    for (const [role, end] of ends) {
      const held = await stream({ role })
      await begin(held)
      await eventStreams.checkAccess()
      expect(eventStreams.size).toBe(1)
      end()
      await eventStreams.checkAccess()
      expect([eventStreams.size, await held.next()]).toEqual([0, null])
    }
  })

  test('when its project is suspended', async () => {
    const held = await stream()
    await begin(held)
    const { projects: p } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(p).set({ suspendedAt: NOW }))
    s.ctx.state.projects.forget(s.project.id)
    await s.ctx.state.eventStreams.checkAccess()
    expect(await held.next()).toBeNull()
  })

  test('when the server stops; one that is opened then ends at once', async () => {
    const held = await stream()
    await begin(held)
    s.ctx.state.liveOverviews.drain()
    s.ctx.state.eventStreams.drain()
    expect(await held.next()).toBeNull()
    expect(await (await stream()).next()).toBeNull()
    expect(s.ctx.state.liveOverviews.size).toBe(0)
  })

  test('when its reader leaves, and then nothing is read for it any more', async () => {
    const held = await stream()
    await begin(held)
    await open.pop()?.leave()
    tick()
    expect([s.ctx.state.eventStreams.size, s.ctx.state.liveOverviews.size]).toEqual([0, 0])
  })

  test('when its reader reads nothing between two pings; others go on', async () => {
    const [, awake] = [await stream(), await stream()]
    await begin(awake)
    s.ctx.state.eventStreams.ping()
    await awake.next()
    s.ctx.state.eventStreams.ping()
    expect(s.ctx.state.eventStreams.size).toBe(1)
    await buyLive(s, 'svc_ada')
    expect((await until(awake, isFigure('mrr'))).length).toBeGreaterThan(0)
  })

  test('when more waits for its reader than is kept', async () => {
    const ada = await deviceOwner(s, 'svc_ada')
    const slow = await stream()
    const watched = await stream({ role: 'OWNER' })
    await begin(watched)
    for (let round = 0; round < 60 && s.ctx.state.eventStreams.size === 2; round++) {
      const ids = await happen(
        s,
        ada,
        Array.from({ length: 50 }, () => ({ type: `purchase.${'x'.repeat(200)}` })),
      )
      await s.ctx.state.liveOverviews
        .open({ projectId: s.project.id, userId: `usr_${round}` }, null, async () => true)
        .body.cancel()
      await until(watched, (frame) => frame.event === 'event' && dataOf(frame).id === ids.at(-1))
    }
    expect(s.ctx.state.eventStreams.size).toBe(1)
    await expect(until(slow, () => false)).rejects.toThrow()
  })

  test('for the oldest when a person opens too many; those of the event log count too', async () => {
    const oldest = await stream()
    await begin(oldest)
    for (let index = 0; index < 19; index++) {
      const path = `/dashboard/projects/${s.project.id}/events/stream`
      open.push(
        holdStream(await askStream(s, path, { key: null, headers: { cookie: 'svc_session=CUSTOMER_SUPPORT' } })),
      )
    }
    expect(s.ctx.state.eventStreams.size).toBe(20)
    await begin(await stream())
    expect([s.ctx.state.eventStreams.size, await oldest.next()]).toEqual([20, null])
  })
})

describe('a live overview is refused', () => {
  test('to strangers, to keys, and in projects of others', async () => {
    expect((await ask({ role: 'STRANGER' })).status).toBe(404)
    expect((await ask({ role: 'NOBODY' })).status).toBe(401)
    expect((await ask({ projectId: s.other.id })).status).toBe(404)
    const path = `/dashboard/projects/${s.project.id}/overview/live`
    expect((await askStream(s, path, { key: s.project.secretKey })).status).toBe(401)
    expect((await ask({ method: 'HEAD' })).status).toBe(200)
    expect(s.ctx.state.eventStreams.size).toBe(0)
  })
})

test('a purchase of an hour ago that was not known counts on its day, and is told', async () => {
  const held = await stream()
  await begin(held)
  s.ctx.clock.advance(HOUR)
  await buyLive(s, 'svc_ada', { product: MONTHLY })
  expect(dataOf((await until(held, isFigure('revenue30d'))).at(-1)).value).toBe(9_990_000)
})
