import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Context } from '../../src/base/context'
import type { Storage } from '../../src/base/db/handle'
import { KEPT_MS } from '../../src/base/http/idempotency'
import { sha256Hex } from '../../src/base/lib/hash'
import { createContext } from '../../src/create-context'
import { createKey } from '../../src/projects/project/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { isReplay, probeOf } from '../support/probe'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

describe('the scope of a key', () => {
  test('is the project, the half of its key, the path and the identity of the call', async () => {
    const p = probeOf(s)
    const different = [
      {},
      { headers: { authorization: `Bearer ${s.project.secretKey}` } },
      { path: '/v1/other' },
      { headers: { authorization: `Bearer ${s.other.publicKey}` } },
      { headers: { 'x-svc-app-user-id': 'svc_ada' } },
      { headers: { 'x-svc-user-id': 'svc_bo' } },
      { body: '{"deviceKey":"svc_cy"}' },
      { body: '{"svcId":"svc_di"}' },
      { body: '{"subscriberId":"svc_ed"}' },
      { body: '{"appUserId":"svc_fay"}' },
    ]
    for (const [index, options] of different.entries())
      expect((await p.post('scope', options)).body.data?.run).toBe(index + 1)
    for (const options of different) expect(isReplay(await p.post('scope', options))).toBe(true)
  })

  test('is not the query, which of the keys signs in, nor a blank header', async () => {
    const p = probeOf(s)
    const { publicKey } = await createKey(s.ctx, s.project.id, { label: 'another' })
    await p.post('same')
    for (const options of [
      { path: '/v1/probe?a=1' },
      { headers: { authorization: `Bearer ${publicKey}` } },
      { headers: { 'x-svc-app-user-id': '  ' } },
      { headers: { 'x-svc-app-user-id': '', 'x-svc-user-id': ' ' } },
    ])
      expect(isReplay(await p.post('same', options))).toBe(true)
    expect(isReplay(await p.post('same', { headers: { 'x-svc-app-user-id': '', 'x-svc-user-id': 'svc_ada' } }))).toBe(
      false,
    )
  })

  test('keeps what a public key posts from the answer to a server, and from its place', async () => {
    const path = '/v1/subscribers/ada%40app/attributes'
    const headers = { 'idempotency-key': 'halves' }
    await s.post('/v1/identify', { deviceKey: 'svc_ada', appUserId: 'ada@app' })
    const body = { attributes: { $email: 'ada@example.com' } }
    const server = await s.post(path, body, { key: s.project.secretKey, headers })
    expect(server.body.data.subscriber.appUserId).toBe('ada@app')
    const stranger = await s.post(path, body, { headers })
    expect([isReplay(stranger), stranger.body.data.subscriber.appUserId]).toEqual([false, null])

    const early = { 'idempotency-key': 'place' }
    await s.post(path, { attributes: { plan: 'pro' } }, { headers: early })
    const later = await s.post(path, { attributes: { plan: 'pro' } }, { key: s.project.secretKey, headers: early })
    expect([isReplay(later), later.body.data.subscriber.appUserId]).toEqual([false, 'ada@app'])
    expect((await s.get('/v1/me', 'svc_ada')).body.data.subscriber.attributes.plan).toBe('pro')
  })

  test('is one for both mounts', async () => {
    const body = { deviceKey: 'svc_mount', appUserId: 'mount' }
    const headers = { 'idempotency-key': 'mounts', origin: 'https://app.example.com' }
    const first = await s.post('/v1/identify', body, { headers })
    const second = await s.post(`/v1/web/${s.project.publicKey}/identify`, body, { headers })
    expect([first.status, second.body, isReplay(second)]).toEqual([200, first.body, true])
    expect(second.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  })

  test('keeps two devices apart that post the same receipt', async () => {
    const payload = s.buy(MONTHLY)
    const body = { receipt: s.sign(payload), productId: payload.productId }
    const headers = { 'idempotency-key': 'receipt' }
    for (const appUserId of ['svc_one', 'svc_two']) {
      const answer = await s.post('/v1/receipts/ios', { ...body, appUserId }, { headers })
      expect([appUserId, answer.status === 422, isReplay(answer)]).toEqual([appUserId, false, false])
    }
  })
})

describe('without a working database', () => {
  type Fault = 'full' | 'hangs' | null

  /** A context whose transactions fail or hang as `faultOf` says for each attempt. */
  async function failing(faultOf: (attempt: number) => Fault): Promise<Context> {
    let attempt = 0
    const { storage } = s.ctx
    const transaction: Storage['transaction'] = (work) => {
      const fault = faultOf(++attempt)
      if (fault === 'hangs') return new Promise(() => {})
      if (fault === null) return storage.transaction(work)
      return Promise.reject(Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' }))
    }
    const own = { ...storage, transaction, close: async () => {} }
    return createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log, storage: own })
  }

  test('a key that cannot be claimed is 503, and the handler does not run', async () => {
    const p = probeOf(s, () => 1, await failing((attempt) => (attempt === 1 ? 'full' : null)))
    const answer = await p.post('down')
    expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'DATABASE_UNAVAILABLE',
      '5',
    ])
    expect(p.runs).toBe(0)
    expect((await p.post('down')).body.data.run).toBe(1)
  })

  test('an answer that cannot be kept is 503, and the retry runs', async () => {
    const p = probeOf(s, () => 1, await failing((attempt) => (attempt === 2 ? 'full' : null)))
    expect((await p.post('unsaved')).status).toBe(503)
    const retry = await p.post('unsaved')
    expect([retry.status, isReplay(retry), p.runs]).toEqual([200, false, 2])
  })

  test('a claim that cannot be released is not waited for: the answer is there at once', async () => {
    const ctx = await failing((attempt) => ([null, 'full', 'hangs'] as const)[attempt - 1] ?? null)
    const p = probeOf(s, () => ctx.write(async () => 1), ctx)
    // Without the limit the call would wait until the test times out.
    expect((await p.post('unreleased')).status).toBe(503)
  })

  test('a call without a key runs where nothing needs to be written', async () => {
    const p = probeOf(s, () => 1, await failing(() => 'full'))
    expect((await p.post(null)).status).toBe(200)
  })
})

describe('a row of release 1.0, whose scope does not name the half of the key', () => {
  const post =
    (path: string, device: string | null, key: string) =>
    (idempotencyKey: string, plan = 'gold') =>
      s.post(
        path,
        { attributes: { plan } },
        { key, headers: { 'idempotency-key': idempotencyKey, ...(device && { 'x-svc-app-user-id': device }) } },
      )

  /** Writes the scope of the newest row as release 1.0 has written it. */
  async function asBefore(path: string, device: string, idempotencyKey: string): Promise<void> {
    const { idempotencyKeys: k } = s.ctx.tables
    const scope = sha256Hex([s.project.id, 'POST', path, device, idempotencyKey].join('\0'))
    const newest = (await s.ctx.db.select().from(k)).find(({ body }) => body?.includes('"first"'))
    await s.ctx.write((tx) =>
      tx.db
        .update(k)
        .set({ scope })
        .where(eq(k.scope, newest?.scope ?? '')),
    )
  }

  beforeEach(() => s.ctx.write((tx) => tx.db.delete(tx.tables.idempotencyKeys)))

  test('answers the repetition of either half, and nothing runs twice', async () => {
    const path = '/v1/me/attributes'
    const [app, server] = [s.project.publicKey, s.project.secretKey].map((key) => post(path, 'svc_before', key))
    await app?.('before', 'first')
    await asBefore(path, 'svc_before', 'before')
    await app?.('other', 'later')
    for (const half of [app, server]) {
      const replay = await half?.('before', 'first')
      expect(replay && [replay.status, isReplay(replay), replay.body.data.subscriber.attributes.plan]).toEqual([
        200,
        true,
        'first',
      ])
      expect((await half?.('before', 'another'))?.status).toBe(422)
    }
    expect((await s.get('/v1/me', 'svc_before')).body.data.subscriber.attributes.plan).toBe('later')
  })

  test('is not given to a public key that names a subscriber as a server named another', async () => {
    await s.post('/v1/identify', { deviceKey: 'svc_labelled', appUserId: 'eve@app' })
    const path = '/v1/subscribers/eve%40app/attributes'
    await post(path, null, s.project.secretKey)('named', 'first')
    await asBefore(path, '', 'named')
    const stranger = await post(path, null, s.project.publicKey)('named', 'first')
    expect([isReplay(stranger), stranger.body.data.subscriber.appUserId]).toEqual([false, null])
    const server = await post(path, null, s.project.secretKey)('named', 'first')
    expect([isReplay(server), server.body.data.subscriber.appUserId]).toEqual([true, 'eve@app'])
  })

  test('is forgotten after its 24 h', async () => {
    const path = '/v1/me/attributes'
    const app = post(path, 'svc_day', s.project.publicKey)
    await app('day', 'first')
    await asBefore(path, 'svc_day', 'day')
    s.ctx.clock.advance(KEPT_MS)
    expect(isReplay(await app('day', 'first'))).toBe(true)
    s.ctx.clock.advance(1)
    expect(isReplay(await app('day', 'first'))).toBe(false)
  })
})
