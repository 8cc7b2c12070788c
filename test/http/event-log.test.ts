import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { writeCursor } from '../../src/people/events/feed-cursor'
import { type Answer, type Stage, stage } from '../support/cast'
import { deviceOwner, happen } from '../support/deliveries'
import { dataOf } from '../support/operator'
import { type Staff, staff, staffId } from '../support/staff'
import { askStream, type HeldStream, holdStream } from '../support/stream'

let s: Stage
let team: Staff
let ada: string
const open: HeldStream[] = []
beforeEach(async () => {
  s = await stage()
  ada = await deviceOwner(s, 'svc_ada')
  team = staff(s)
})
afterEach(async () => {
  s.ctx.state.eventStreams.drain()
  for (const held of open.splice(0)) await held.leave().catch(() => {}) // One that was cut says so again.
  await s.close()
})

const list = (query = '') => dataOf(team.as('CUSTOMER_SUPPORT').get(`/events${query}`))
/** An item without who it is about, which only the list says. */
const eventOf = ({ person, ...event }: Record<string, unknown>) => event
const typesOf = async (query = '') => (await list(query)).items.map(({ type }: { type: string }) => type)
const many = (count: number, type = 'purchase.renewed') =>
  happen(
    s,
    ada,
    Array.from({ length: count }, () => ({ type })),
  )

async function refused(call: Promise<Answer>, status: number, code: string) {
  const { body, ...answer } = await call
  expect([answer.status, body?.error?.code]).toEqual([status, code])
}

describe('the list of events', () => {
  test('has the newest first, and each as the feed has it', async () => {
    await happen(s, ada, [{ type: 'purchase.initial' }, { type: 'entitlement.granted' }])
    const { items, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    const feed = (await s.call('GET', '/v1/events', { key: s.project.secretKey })).body.data.items
    expect(items.map(eventOf)).toEqual(feed.toReversed())
    for (const { person, subscriberId } of items) expect(person).toMatchObject({ subscriberId, deviceKey: 'svc_ada' })
  })

  test('has each event by itself too, but none of another project', async () => {
    await many(2)
    const { items } = await list()
    expect(await dataOf(team.as('CUSTOMER_SUPPORT').get(`/events/${items[1].id}`))).toEqual(eventOf(items[1]))
    for (const id of ['evt_00000000000000000000000000', 'nothing', '%00', 'x'.repeat(300)])
      await refused(team.as('OWNER').get(`/events/${id}`), 404, 'NOT_FOUND')
    const other = { projectId: s.other.id }
    team.sessions.roles.set(`${staffId('OWNER')} ${s.other.id}`, 'OWNER')
    await refused(team.as('OWNER').get(`/events/${items[0].id}`, other), 404, 'NOT_FOUND')
    await refused(team.as('STRANGER').get(`/events/${items[0].id}`), 404, 'NOT_FOUND')
  })

  test('is filtered by types and by subscriber', async () => {
    const bo = await deviceOwner(s, 'svc_bo')
    await happen(s, ada, [{ type: 'purchase.initial' }, { type: 'entitlement.granted' }])
    await happen(s, bo, [{ type: 'purchase.expired' }])
    expect(await typesOf('?types=purchase.*')).toEqual(['purchase.expired', 'purchase.initial'])
    expect(await typesOf('?types=purchase.initial,entitlement.granted')).toEqual([
      'entitlement.granted',
      'purchase.initial',
    ])
    expect(await typesOf(`?subscriberId=${ada}`)).toEqual(['entitlement.granted', 'purchase.initial'])
    expect(await typesOf(`?subscriberId=${bo}&types=purchase.initial`)).toEqual([])
    expect(await typesOf('?subscriberId=sub_00000000000000000000000000')).toEqual([])
  })

  test('is read page by page while new events come', async () => {
    const ids = await many(5)
    for (const filter of ['', `subscriberId=${ada}&`]) {
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const page = await list(`?${filter}limit=2${cursor}`)
        seen.push(...page.items.map(({ id }: { id: string }) => id))
        if (page.nextCursor === null) break
        await many(1)
        cursor = `&cursor=${page.nextCursor}`
      }
      expect(seen.slice(-5)).toEqual(ids.toReversed())
      expect(new Set(seen).size).toBe(seen.length)
    }
  })

  test('is never that of another project', async () => {
    await many(1)
    team.sessions.roles.set(`${staffId('OWNER')} ${s.other.id}`, 'OWNER')
    const foreign = (query: string) => team.as('OWNER').get(`/events${query}`, { projectId: s.other.id })
    expect((await dataOf(foreign(''))).items).toEqual([])
    expect((await dataOf(foreign(`?subscriberId=${ada}`))).items).toEqual([])
    await many(2)
    const { nextCursor } = await list('?limit=1')
    await refused(foreign(`?limit=1&cursor=${nextCursor}`), 400, 'VALIDATION_ERROR')
  })

  test('refuses what it does not know', async () => {
    for (const query of ['?types=', '?types=a b', '?limit=1001', '?limit=0', '?cursor=x', '?type=x', '?subscriberId=x'])
      await refused(team.as('OWNER').get(`/events${query}`), 400, 'VALIDATION_ERROR')
    await refused(team.as('STRANGER').get('/events'), 404, 'NOT_FOUND')
  })
})

const PATH = () => `/dashboard/projects/${s.project.id}/events/stream`

interface Ask {
  role?: string
  headers?: Record<string, string>
  method?: string
}

const ask = (query = '', { role = 'CUSTOMER_SUPPORT', headers = {}, method = 'GET' }: Ask = {}) =>
  askStream(s, `${PATH()}${query}`, { key: null, method, headers: { cookie: `svc_session=${role}`, ...headers } })

async function stream(query = '', options: Ask = {}): Promise<HeldStream> {
  const held = holdStream(await ask(query, options))
  open.push(held)
  return held
}

/** The ids of the next events, and the cursor of the last. */
async function take(held: HeldStream, count: number): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = []
  let cursor = ''
  while (ids.length < count) {
    const frame = await held.next()
    if (!frame) throw new Error('the stream ended')
    if (frame.event !== 'event') continue
    ids.push(JSON.parse(frame.data).id)
    cursor = frame.id ?? ''
  }
  return { ids, cursor }
}

describe('the stream of events', () => {
  test('sends what happens from now on, in order, and as the list has it', async () => {
    await many(2)
    const held = await stream()
    expect(held.response.headers.get('content-type')).toBe('text/event-stream')
    expect(await held.next()).toMatchObject({ event: 'message', data: '', id: expect.any(String) })
    const ids = await many(3)
    const first = await held.next()
    expect(first).toMatchObject({ event: 'event' })
    const listed = (await list('?limit=3')).items.at(-1)
    expect(JSON.parse(first?.data ?? '')).toEqual(eventOf(listed))
    expect((await take(held, 2)).ids).toEqual(ids.slice(1))
  })

  test('goes on behind a cursor of its own, of the feed, and of Last-Event-ID', async () => {
    const ids = await many(250)
    const since = toIso(s.ctx.clock.now())
    const { cursor } = await take(await stream(`?since=${since}`), 120)
    expect((await take(await stream(`?after=${cursor}`), 130)).ids).toEqual(ids.slice(120))
    const resumed = await stream('', { headers: { 'last-event-id': cursor } })
    expect((await take(resumed, 130)).ids).toEqual(ids.slice(120))
    // An event source repeats its address with the old query when it comes back.
    const old = await stream(`?since=${since}`, { headers: { 'last-event-id': cursor } })
    expect((await take(old, 1)).ids).toEqual(ids.slice(120, 121))
    const feed = await s.call('GET', '/v1/events?limit=200', { key: s.project.secretKey })
    expect((await take(await stream(`?after=${feed.body.data.nextCursor}`), 50)).ids).toEqual(ids.slice(200))
  })

  test('begins with a cursor, so that a client that got nothing goes on there', async () => {
    const start = await (await stream()).next()
    const ids = await many(2)
    expect((await take(await stream(`?after=${start?.id}`), 2)).ids).toEqual(ids)
  })

  test('has only the types and the subscriber that were asked for', async () => {
    const bo = await deviceOwner(s, 'svc_bo')
    const [types, own] = [await stream('?types=entitlement.*'), await stream(`?subscriberId=${bo}`)]
    const [, granted = ''] = await happen(s, ada, [{}, { type: 'entitlement.granted' }])
    const [expired = ''] = await happen(s, bo, [{ type: 'purchase.expired' }])
    expect((await take(types, 1)).ids).toEqual([granted])
    expect((await take(own, 1)).ids).toEqual([expired])
  })

  test('is kept alive by pings that carry the cursor', async () => {
    const held = await stream()
    const start = await held.next()
    s.ctx.state.eventStreams.ping()
    expect(await held.next()).toEqual({ event: 'ping', data: '', id: start?.id ?? '' })
  })

  test('is cut when its reader reads nothing between two pings; others go on', async () => {
    const [idle, awake] = [await stream(), await stream()]
    const [id] = await many(1)
    await take(awake, 1)
    const { eventStreams } = s.ctx.state
    eventStreams.ping()
    expect(eventStreams.size).toBe(2)
    await awake.next()
    eventStreams.ping()
    expect(eventStreams.size).toBe(1)
    await expect(take(idle, 5)).rejects.toThrow()
    expect(id).toBeString()
  })

  test('loses nothing for a reader that comes late to many events', async () => {
    const held = await stream(`?since=${toIso(s.ctx.clock.now())}`)
    const ids = await many(3000)
    expect((await take(held, 3000)).ids).toEqual(ids)
  })

  test('is forgotten when its reader leaves', async () => {
    const held = await stream()
    await held.next()
    await open.pop()?.leave()
    expect(s.ctx.state.eventStreams.size).toBe(0)
  })

  test('ends when the server stops', async () => {
    const held = await stream()
    await held.next()
    s.ctx.state.eventStreams.drain()
    expect(await held.next()).toBeNull()
    expect(s.ctx.state.eventStreams.size).toBe(0)
  })

  test('ends when the session, the membership or the project is over', async () => {
    const { eventStreams } = s.ctx.state
    for (const end of [
      () => team.sessions.sessions.delete('GROWTH'),
      () => team.sessions.roles.delete(`${staffId('DEVELOPER')} ${s.project.id}`),
    ]) {
      const role = eventStreams.size === 0 && team.sessions.sessions.has('GROWTH') ? 'GROWTH' : 'DEVELOPER'
      const held = await stream('', { role })
      await held.next()
      await eventStreams.checkAccess()
      expect(eventStreams.size).toBe(1)
      end()
      await eventStreams.checkAccess()
      expect(eventStreams.size).toBe(0)
      expect(await held.next()).toBeNull()
    }
  })

  test('works with a personal access token, and not with a key of the project', async () => {
    const user = { id: 'usr_token', email: 't@example.com', isEmailVerified: true, hasTwoFactor: false }
    team.sessions.tokens.set('svc_pat_one', { id: 'pat_one', user, scopes: null, expiresAt: null, revokedAt: null })
    team.sessions.roles.set(`usr_token ${s.project.id}`, 'CUSTOMER_SUPPORT')
    const by = (key: string) => askStream(s, PATH(), { key })
    const held = holdStream(await by('svc_pat_one'))
    open.push(held)
    await held.next()
    const ids = await many(1)
    expect((await take(held, 1)).ids).toEqual(ids)
    for (const key of [s.project.secretKey, s.project.publicKey, 'svc_pat_two'])
      expect((await by(key)).status).toBe(401)
  })

  test('of one person is limited: the twenty-first ends the oldest', async () => {
    const all: HeldStream[] = []
    for (let index = 0; index < 21; index++) all.push(await stream())
    expect(s.ctx.state.eventStreams.size).toBe(20)
    const [first, second] = all
    const frames = [await first?.next().catch(() => null), await second?.next()]
    expect(frames[0] === null || frames[0]?.id !== undefined).toBe(true)
    const ids = await many(1)
    expect((await take(second as HeldStream, 1)).ids).toEqual(ids)
  })

  test('of one person in all projects is limited too: the sixty-first ends the oldest, and nobody else', () => {
    const streams = s.ctx.state.eventStreams
    const before = streams.size
    const open = (n: number, userId: string) => streams.admit({ projectId: `prj_${n % 7}`, userId }, async () => true)
    const other = open(0, 'usr_other')
    const own = Array.from({ length: 62 }, (_, n) => open(n, 'usr_many'))
    expect(own.map(({ isOpen }) => isOpen)).toEqual([false, false, ...Array(60).fill(true)])
    expect([other.isOpen, streams.size]).toEqual([true, before + 61])
    for (const one of [other, ...own]) streams.end(one)
    expect(streams.size).toBe(before)
  })

  test('is refused for a wrong cursor, filter or caller', async () => {
    const refuse = async (query: string, status: number, code: string, options: Ask = {}) => {
      const answer = await ask(query, options)
      const { error } = (await answer.json()) as { error: { code: string } }
      expect([query, answer.status, error.code]).toEqual([query, status, code])
    }
    const filter = { projectId: s.project.id, types: [], subscriberId: null }
    const cursor = writeCursor({ position: 1, readUntil: s.ctx.clock.now() }, filter)
    const old = writeCursor({ position: 1, readUntil: s.ctx.clock.now() - 400 * DAY }, filter)
    const foreign = writeCursor({ position: 1, readUntil: s.ctx.clock.now() }, { ...filter, projectId: s.other.id })
    for (const query of [
      '?after=x',
      `?after=${foreign}`,
      `?after=${cursor}&types=purchase.*`,
      '?since=now',
      '?types=a%20b',
    ])
      await refuse(query, 400, 'VALIDATION_ERROR')
    await refuse(`?after=${cursor}&since=2026-01-01T00:00:00Z`, 400, 'VALIDATION_ERROR')
    await refuse('?wait=1', 400, 'VALIDATION_ERROR')
    await refuse(`?after=${old}`, 410, 'HTTP_ERROR')
    await refuse('', 400, 'VALIDATION_ERROR', { headers: { 'last-event-id': 'x' } })
    await refuse('', 404, 'NOT_FOUND', { role: 'STRANGER' })
    await refuse('', 401, 'UNAUTHORIZED', { role: 'NOBODY' })
    expect((await ask('', { method: 'HEAD' })).status).toBe(200)
    expect(s.ctx.state.eventStreams.size).toBe(0)
  })
})
