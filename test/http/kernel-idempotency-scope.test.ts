import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Context } from '../../src/base/context'
import type { Storage } from '../../src/base/db/handle'
import { createContext } from '../../src/create-context'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { isReplay, probeOf } from '../support/probe'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

describe('the scope of a key', () => {
  test('is the project, the path and the identity of the call', async () => {
    const p = probeOf(s)
    const different = [
      {},
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

  test('is not the query, the key that signs in, nor a blank header', async () => {
    const p = probeOf(s)
    await p.post('same')
    for (const options of [
      { path: '/v1/probe?a=1' },
      { headers: { authorization: `Bearer ${s.project.secretKey}` } },
      { headers: { 'x-svc-app-user-id': '  ' } },
      { headers: { 'x-svc-app-user-id': '', 'x-svc-user-id': ' ' } },
    ])
      expect(isReplay(await p.post('same', options))).toBe(true)
    expect(isReplay(await p.post('same', { headers: { 'x-svc-app-user-id': '', 'x-svc-user-id': 'svc_ada' } }))).toBe(
      false,
    )
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
