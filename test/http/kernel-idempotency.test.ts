import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { invalid } from '../../src/base/errors'
import { CLAIM_LIFE_MS, claimKey, KEPT_MS, POLL_MS, releaseDeadClaims } from '../../src/base/http/idempotency'
import { SECOND } from '../../src/base/lib/clock'
import { simulatedRefund } from '../../src/test-store/stores/ios'
import { type Answer, COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { holdPauses, skipPauses } from '../support/pauses'
import { isReplay, probeOf } from '../support/probe'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())
beforeEach(() => s.ctx.write((tx) => tx.db.delete(tx.tables.idempotencyKeys)))

const claims = () => s.ctx.db.select().from(s.ctx.tables.idempotencyKeys)

/** Changes the one answered claim so that its request seems to be running since now, in the named process. */
async function unfinish(claimedBy = s.ctx.instanceId): Promise<void> {
  const change = {
    status: null,
    body: null,
    contentType: null,
    finishedAt: null,
    claimedBy,
    claimedAt: s.ctx.clock.now(),
  }
  await s.ctx.write((tx) => tx.db.update(tx.tables.idempotencyKeys).set(change))
}

const probe = (handle?: Parameters<typeof probeOf>[1]) => probeOf(s, handle)

/** A signed purchase whose exact bytes can be posted again. */
function receiptOf(appUserId: string) {
  const payload = s.buy(MONTHLY)
  const body = { receipt: s.sign(payload), appUserId, productId: payload.productId }
  return { payload, post: (headers: Record<string, string>) => s.post('/v1/receipts/ios', body, { headers }) }
}

const replayOf = ({ status, headers, body }: Answer) => [status, headers.get('content-type'), body]

describe('a key', () => {
  test('is claimed before the handler runs and holds the answer after it', async () => {
    const during: unknown[] = []
    const p = probe(async () => during.push(...(await claims())))
    expect((await p.post('first')).status).toBe(200)
    expect(during).toMatchObject([{ status: null, claimedBy: s.ctx.instanceId, claimedAt: s.ctx.clock.now() }])
    expect(await claims()).toMatchObject([{ status: 200, finishedAt: s.ctx.clock.now() }])
  })

  test('gives the first answer again: status, content type, body and a header, and does not run', async () => {
    const p = probe()
    const first = await p.post('again')
    expect(first.headers.has('idempotent-replay')).toBe(false)
    for (const _ of [1, 2]) {
      const replay = await p.post('again')
      expect(replayOf(replay)).toEqual(replayOf(first))
      expect(isReplay(replay)).toBe(true)
      expect(replay.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
    expect(p.runs).toBe(1)
  })

  test('that is absent lets every call run', async () => {
    const p = probe()
    for (const run of [1, 2]) expect((await p.post(null)).body.data.run).toBe(run)
    expect(await claims()).toEqual([])
  })

  test('with another body is 422 and does not run, be it one blank', async () => {
    const p = probe()
    await p.post('body')
    for (const body of ['{"n":2}', '{"n":1} ', '{ "n":1}', '{}', '{"broken']) {
      const answer = await p.post('body', { body })
      expect([answer.status, answer.body]).toEqual([
        422,
        { error: { code: 'HTTP_ERROR', message: 'Idempotency-Key was already used with another body' } },
      ])
    }
    expect(isReplay(await p.post('body'))).toBe(true)
    expect(p.runs).toBe(1)
  })

  test('has 1 to 255 visible ASCII characters', async () => {
    const p = probe()
    for (const key of ['a', 'x'.repeat(255), '!~"#', '3f1c2e9a-0b7d-4d3a-9f57-2f6c1b8e4d10'])
      expect((await p.post(key)).status).toBe(200)
    const { runs } = p
    for (const key of ['', '   ', 'x'.repeat(256), 'two words', 'tab\tbed', 'caf\u00e9', '\u00a0']) {
      const { status, body } = await p.post(key)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.message).toBe('Idempotency-Key must be 1 to 255 visible ASCII characters')
    }
    expect(p.runs).toBe(runs)
  })

  test('on a GET is not looked at', async () => {
    const headers = { 'idempotency-key': 'two words' }
    expect((await s.get('/v1/me', 'svc_ada', { headers })).status).toBe(200)
    expect(await claims()).toEqual([])
  })
})

describe('twins', () => {
  test('that come together run once; the others wait and give its answer', async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const p = probe(() => promise)
    const pauses = holdPauses(POLL_MS)
    const all = Array.from({ length: 8 }, () => p.post('twin'))
    await pauses.begun(7)
    resolve(7)
    pauses.release()
    const answers = await Promise.all(all)
    for (const answer of answers)
      expect(replayOf(answer)).toEqual([
        200,
        answers[0]?.headers.get('content-type') ?? '',
        { data: { run: 1, value: 7 } },
      ])
    expect(answers.filter(isReplay)).toHaveLength(7)
    expect(p.runs).toBe(1)
  })

  test('of a request that fails run after it, one by one', async () => {
    const pauses = holdPauses(POLL_MS)
    const p = probe(async ({ n }) => {
      if (p.runs > 1) return 2
      await pauses.begun(1)
      throw invalid(`n is ${n}`)
    })
    const both = [p.post('fails'), p.post('fails')]
    await pauses.begun(1)
    pauses.release()
    const answers = await Promise.all(both)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(p.runs).toBe(2)
  })

  test('of a request that still runs after 4 s are 409, but a receipt then runs on its own', async () => {
    const p = probe()
    await p.post('slow')
    const posted = receiptOf('svc_twin')
    const receipt = () => posted.post({ 'idempotency-key': 'slow-receipt' })
    await receipt()
    await unfinish()
    const pauses = skipPauses(POLL_MS)
    const [refused, otherBody, taken] = await Promise.all([p.post('slow'), p.post('slow', { body: '{}' }), receipt()])
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      409,
      '1',
      { error: { code: 'CONFLICT', message: 'A request with this Idempotency-Key is still running' } },
    ])
    expect(otherBody.status).toBe(422)
    expect([taken.status, isReplay(taken), taken.body.data.access.pro.isActive]).toEqual([200, false, true])
    pauses.restore()
    expect(pauses.count * POLL_MS).toBe(2 * 4 * SECOND) // The first and the last of them waited.
    expect(p.runs).toBe(1)
    expect((await claims()).map(({ status }) => status)).toEqual([null, null]) // No claim was deleted.
  }, 600_000)
})

describe('a claim is released', () => {
  test('by every answer that is no success', async () => {
    const p = probe(({ fault }) => {
      if (fault === 'refusal') throw invalid('no')
      if (fault === 'bug') throw new Error('bug')
      return fault === 'schema' ? 'no integer' : 1
    })
    for (const [fault, status] of [
      ['refusal', 400],
      ['bug', 500],
      ['schema', 500],
    ] as const) {
      expect((await p.post('released', { body: JSON.stringify({ fault }) })).status).toBe(status)
      expect(await claims()).toEqual([])
    }
    expect((await p.post('released')).status).toBe(200)
    expect(p.runs).toBe(4)
  })

  test('by a body that cannot be read or breaks its schema', async () => {
    for (const raw of ['{"broken', '[]', '{"attributes":5}']) {
      const options = { raw, headers: { 'idempotency-key': 'body', 'x-svc-app-user-id': 'svc_ada' } }
      expect((await s.post('/v1/me/attributes', undefined, options)).status).toBe(400)
      expect(await claims()).toEqual([])
    }
  })

  test('and never taken by a caller who may not call', async () => {
    const path = '/v1/virtual-currencies/ada/coins/transactions'
    const headers = { 'idempotency-key': 'stranger' }
    expect((await s.post(path, {}, { headers, key: null })).status).toBe(401)
    expect((await s.post(path, {}, { headers })).status).toBe(403)
    expect((await s.post('/v1/nowhere', {}, { headers })).status).toBe(404)
    expect(await claims()).toEqual([])
  })

  test('when its process starts again', async () => {
    const p = probe()
    await p.post('dead')
    await p.post('done', { body: '{"n":2}' })
    const [dead] = await claims()
    const { idempotencyKeys } = s.ctx.tables
    await unfinish('a process that is gone')
    await s.ctx.write((tx) => tx.db.update(idempotencyKeys).set({ claimedAt: s.ctx.clock.now() }))
    await releaseDeadClaims(s.ctx, true)
    expect(dead).toBeDefined()
    expect(await claims()).toEqual([])
    expect((await p.post('dead')).body.data.run).toBe(3)
  })

  test('but an answer is kept when a process starts', async () => {
    const p = probe()
    await p.post('kept')
    await releaseDeadClaims(s.ctx, true)
    expect(isReplay(await p.post('kept'))).toBe(true)
  })

  test('30 s after it was made, where other processes may live, and not at 30 s', async () => {
    const p = probe()
    await p.post('lapsed')
    await unfinish('another process')
    s.ctx.clock.advance(CLAIM_LIFE_MS)
    await releaseDeadClaims(s.ctx, false)
    // The key is still held: without that, the request would run.
    expect((await p.post('lapsed', { body: '{}' })).status).toBe(422)
    s.ctx.clock.advance(1)
    expect((await p.post('lapsed', { body: '{}' })).body.data.run).toBe(2)
  })

  test('and a request that outlived its claim leaves the next one alone', async () => {
    const scope = { owner: 'p', projectId: 'p', method: 'POST', path: '/', identity: '', key: 'k', mayRunBeside: false }
    const late = await claimKey(s.ctx, { ...scope, bodyHash: 'a' })
    s.ctx.clock.advance(CLAIM_LIFE_MS + 1)
    const next = await claimKey(s.ctx, { ...scope, bodyHash: 'b' })
    if (late.kind !== 'RUN' || next.kind !== 'RUN') throw new Error('both must run')
    await late.save({ status: 200, contentType: null, body: 'late' })
    await late.release()
    expect(await claims()).toMatchObject([{ bodyHash: 'b', status: null }])
    await next.save({ status: 200, contentType: null, body: 'next' })
    await late.release()
    expect(await claimKey(s.ctx, { ...scope, bodyHash: 'b' })).toMatchObject({
      kind: 'REPLAY',
      answer: { body: 'next' },
    })
  })
})

test('an answer is kept for 24 h from the moment it was given, and not 1 ms longer', async () => {
  const p = probe(() => {
    s.ctx.clock.advance(5 * SECOND)
    return 1
  })
  await p.post('day')
  s.ctx.clock.advance(KEPT_MS)
  expect(isReplay(await p.post('day'))).toBe(true)
  s.ctx.clock.advance(1)
  const fresh = await p.post('day', { body: '{"another":"body"}' })
  expect([fresh.status, isReplay(fresh), p.runs]).toEqual([200, false, 2])
})

describe('receipts', () => {
  test('that are replayed show access and balances as they are now, and do no work', async () => {
    const posted = receiptOf('svc_refunded')
    const headers = { 'idempotency-key': 'refunded' }
    const first = await posted.post(headers)
    expect(first.body.data.access.pro.isActive).toBe(true)
    await s.receipt('svc_refunded', s.buy(COINS))
    await s.receipt('svc_refunded', simulatedRefund(posted.payload, s.ctx.clock.now()))
    const before = await s.events(first.body.data.subscriber.id)
    const replay = await posted.post(headers)
    expect([replay.status, isReplay(replay)]).toEqual([200, true])
    expect(replay.body.data.access.pro?.isActive ?? false).toBe(false)
    expect(replay.body.data.virtualCurrencyBalances).toEqual({ coins: 100 })
    expect(replay.body.data.subscriber).toEqual(first.body.data.subscriber)
    expect(await s.events(first.body.data.subscriber.id)).toEqual(before)
  })

  test('that were refused are not replayed', async () => {
    const bad = { receipt: 'x', appUserId: 'svc_bad', productId: MONTHLY.productId }
    for (const _ of [1, 2]) {
      const answer = await s.post('/v1/receipts/ios', bad, { headers: { 'idempotency-key': 'bad' } })
      expect([answer.status, isReplay(answer)]).toEqual([400, false])
    }
    expect(await claims()).toEqual([])
  })
})
