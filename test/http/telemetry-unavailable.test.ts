import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Answer, type Stage, stage } from '../support/cast'
import { rowOf } from '../support/facts'
import { clientEvents, opened, postEvent, postSessions, sessionsOf } from '../support/telemetry'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const CALLS: [name: string, call: (headers?: Record<string, string>) => Promise<Answer>][] = [
  ['POST /v1/sdk/sessions', (headers = {}) => postSessions(s, 'svc_ada', [opened(s)], { headers })],
  ['POST /v1/events', (headers = {}) => postEvent(s, { eventId: 'one', subscriberId: 'svc_ada' }, { headers })],
]

/** From now on, every write fails as it does on a full disk. Returns the function that ends this. */
function fillDisk(): () => void {
  const { write } = s.ctx
  Object.assign(s.ctx, { write: () => Promise.reject(Object.assign(new Error('full'), { code: 'SQLITE_FULL' })) })
  return () => void Object.assign(s.ctx, { write })
}

const expectUnavailable = ({ status, body, headers }: Answer) => {
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'TELEMETRY_UNAVAILABLE', '5'])
}

describe.each(CALLS)('%s', (_name, call) => {
  test('while nothing can be written is 503 with its own code, and works afterwards', async () => {
    const empty = fillDisk()
    expectUnavailable(await call())
    expectUnavailable(await call({ 'idempotency-key': 'kept' }))
    empty()
    expect((await call({ 'idempotency-key': 'kept' })).status).toBe(202)
  })

  test('while a known device cannot be written for', async () => {
    await s.get('/v1/me', 'svc_ada')
    fillDisk()
    expectUnavailable(await call())
  })

  test('while the key cannot be looked up', async () => {
    const lost = Object.assign(new Error('the disk'), { code: 'SQLITE_IOERR' })
    Object.assign(s.ctx.state.keys, { authenticate: () => Promise.reject(lost) })
    expectUnavailable(await call())
  })

  test('refuses bad bodies, stale events and foreign keys as ever', async () => {
    fillDisk()
    const path = _name.slice('POST '.length)
    expect((await s.post(path, {})).status).toBe(400)
    expect((await s.post(path, {}, { key: null })).status).toBe(401)
    expect((await s.post(path, {}, { key: s.project.secretKey })).status).toBe(403)
  })
})

test('other routes keep their code', async () => {
  fillDisk()
  const { status, body } = await s.get('/v1/me', 'svc_new')
  expect([status, body.error.code]).toEqual([503, 'DATABASE_UNAVAILABLE'])
})

test('what failed left nothing, and what is repeated is kept once', async () => {
  const empty = fillDisk()
  for (const [, call] of CALLS) expectUnavailable(await call())
  empty()
  expect([await clientEvents(s), await s.ctx.db.$count(s.ctx.tables.subscribers)]).toEqual([[], 0])
  for (const [, call] of CALLS) for (let turn = 0; turn < 2; turn++) await call()
  expect(await sessionsOf(s, (await rowOf(s, 'svc_ada')).id)).toHaveLength(1)
  expect(await clientEvents(s)).toHaveLength(1)
})
