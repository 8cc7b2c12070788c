import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { describeError, describeStack } from '../../src/base/lib/log'
import { type Answer, type Stage, stage } from '../support/cast'
import { probeOf } from '../support/probe'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

/** Makes a call and returns the one line that it logged. */
async function logged(
  call: () => Promise<Answer>,
): Promise<{ answer: Answer; line: Record<string, unknown>; text: string }> {
  const before = s.ctx.lines.length
  const answer = await call()
  const [text = '', ...more] = s.ctx.lines.slice(before)
  expect(more).toEqual([])
  return { answer, line: JSON.parse(text), text }
}

const INTERNAL = { error: { code: 'INTERNAL_ERROR', message: 'Internal server error' } }

test('an unexpected throw is told as such and nothing more; the log names request, route and place', async () => {
  const probe = probeOf(s, () => {
    throw new TypeError('the cause')
  })
  const { answer, line } = await logged(() => probe.post(null, { headers: { 'x-request-id': 'request-0001' } }))
  expect([answer.status, answer.body, answer.headers.get('x-request-id')]).toEqual([500, INTERNAL, 'request-0001'])
  expect(line).toMatchObject({
    level: 'error',
    message: 'request failed',
    code: 'INTERNAL_ERROR',
    requestId: 'request-0001',
    method: 'POST',
    route: '/v1/probe',
    projectId: s.project.id,
    error: 'TypeError: the cause',
  })
  expect(line.stack).toMatch(/^\s+at .*kernel-log\.test\.ts/)
})

test('what is thrown may be anything', async () => {
  for (const thrown of ['text', 5, { code: 'SQLITE' }, Object.assign(new Error('x'), { status: 404 })]) {
    const probe = probeOf(s, () => {
      throw thrown
    })
    const answer = await probe.post(null)
    expect([answer.status, answer.body]).toEqual([500, INTERNAL])
  }
})

test('a query that fails is logged without its values', async () => {
  const { subscribers } = s.ctx.tables
  const { id } = (await s.get('/v1/me', 'svc_first')).body.data.subscriber
  const probe = probeOf(s, async () => {
    const [row] = await s.ctx.db.select().from(subscribers)
    if (!row) throw new Error('there is a row')
    const hushed = { plan: { value: 'hush-value', source: 'sdk', updatedAt: 1 } }
    await s.ctx.write((tx) =>
      tx.db.insert(subscribers).values({ ...row, id, deviceKey: 'hush-key', attributes: hushed }),
    )
  })
  const { answer, text } = await logged(() => probe.post(null))
  expect([answer.status, answer.body]).toEqual([500, INTERNAL])
  expect(text).toContain('Failed query: insert into')
  expect(text).not.toContain('hush')
})

test('an answer that breaks its schema is our fault, and logged by its places alone', async () => {
  const probe = probeOf(s, () => 'hush-value')
  const { answer, line, text } = await logged(() => probe.post(null))
  expect([answer.status, answer.body]).toEqual([500, INTERNAL])
  expect(line.error).toBe('the response does not fit its schema at /data/value')
  expect(text).not.toContain('hush')
})

test('a refusal for the body or the path is not logged', async () => {
  const before = s.ctx.lines.length
  await s.post('/v1/identify', undefined, { raw: '{"broken' })
  await s.get('/v1/nowhere')
  expect(s.ctx.lines.slice(before)).toEqual([])
})

describe('a caller who is not let in', () => {
  beforeEach(() => s.ctx.clock.advance(MINUTE))

  const linesSince = (before: number) => s.ctx.lines.slice(before).map((line) => JSON.parse(line))

  test('finds the line of the request by its id, with the code and the route', async () => {
    const secretRoute = '/v1/virtual-currencies/svc_a/coins/transactions'
    for (const [status, code, projectId, ask] of [
      [401, 'BEARER_REQUIRED', null, () => s.post(secretRoute, {}, { key: null })],
      [401, 'INVALID_API_KEY', null, () => s.post(secretRoute, {}, { key: `svc_sec_${'h'.repeat(43)}` })],
      [403, 'FORBIDDEN', s.project.id, () => s.post(secretRoute, {})],
    ] as const) {
      const { answer, line, text } = await logged(ask)
      expect(answer.status).toBe(status)
      expect(line).toMatchObject({ level: 'info', message: 'request refused', code, projectId, method: 'POST' })
      expect(line.requestId).toBe(answer.headers.get('x-request-id') ?? '')
      expect(line.route).toBe('/v1/virtual-currencies/:appUserId/:code/transactions')
      for (const hidden of ['svc_sec_', 'svc_pub_', 'hhhh', 'svc_a/']) expect(text).not.toContain(hidden)
    }
  })

  test('and no notification is', async () => {
    const { answer, line } = await logged(() =>
      s.call('POST', `/webhooks/payment/${s.project.id}`, { key: null, raw: '{}' }),
    )
    expect([answer.status, line.code, line.requestId]).toEqual([
      401,
      'UNAUTHORIZED',
      answer.headers.get('x-request-id'),
    ])
  })

  test('does not fill the disk: ten lines of a minute, then one with the count of the others', async () => {
    const own = await stage({ env: { SVC_TRUSTED_PROXIES: '1' } })
    const ask = (from: string) => own.call('GET', '/v1/me', { key: null, headers: { 'x-forwarded-for': from } })
    const ofMessage = (message: string) => own.ctx.lines.filter((line) => line.includes(`"${message}"`))
    for (let count = 0; count < 500; count++) await ask('203.0.113.1')
    expect(ofMessage('request refused')).toHaveLength(10)
    await ask('203.0.113.2')
    expect(ofMessage('request refused')).toHaveLength(11)
    for (let count = 0; count < 400; count++) await ask(`198.51.100.${count}`)
    expect(ofMessage('request refused')).toHaveLength(300)
    own.ctx.state.refusalLog.flush()
    own.ctx.state.refusalLog.flush()
    const told = ofMessage('refusals without a line of their own').map((line) => JSON.parse(line))
    expect(told).toEqual([expect.objectContaining({ level: 'warn', code: 'BEARER_REQUIRED', count: 601 })])
    own.ctx.clock.advance(MINUTE)
    await ask('203.0.113.1')
    expect(ofMessage('request refused')).toHaveLength(301)
    await own.close()
  })

  test('does not hide a fault of ours', async () => {
    for (let count = 0; count < 500; count++) await s.call('GET', '/v1/me', { key: null })
    const before = s.ctx.lines.length
    const probe = probeOf(s, () => {
      throw new Error('bug')
    })
    await probe.post(null)
    expect(linesSince(before)).toMatchObject([{ message: 'request failed', code: 'INTERNAL_ERROR' }])
  })
})

test('a trace of the caller is joined to the line', async () => {
  const probe = probeOf(s, () => {
    throw new Error('bug')
  })
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traced = await logged(() => probe.post(null, { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } }))
  expect(traced.line.traceId).toBe(trace)
  for (const traceparent of ['', 'nonsense', `00-${trace}`, `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`]) {
    const { line } = await logged(() => probe.post(null, { headers: { traceparent } }))
    expect(line).not.toHaveProperty('traceId')
  }
})

test('an error is described by its chain of first lines, each of them short', () => {
  const cause = new Error(`disk\nparams: hush-value`)
  expect(describeError(new Error('query', { cause }))).toBe('Error: query <- Error: disk')
  expect(describeError(new Error('x'.repeat(1000))).length).toBeLessThan(400)
  expect(describeError('text')).toBe('text')
  expect(describeStack(new Error('hush-value'))).not.toContain('hush')
  expect(describeStack('text')).toBeUndefined()
})

test('every answer is measured under its route and its own status, and no path is a label', async () => {
  const own = await stage()
  const tag = (await own.get('/v1/offerings')).headers.get('etag') ?? ''
  const attributes = (raw: string) =>
    own.post('/v1/me/attributes', undefined, {
      raw,
      headers: { 'x-svc-app-user-id': 'svc_ada', 'idempotency-key': 'measured' },
    })
  await own.get('/v1/offerings', undefined, { headers: { 'if-none-match': tag } })
  await own.call('GET', '/v1/subscribers/svc_hush/access', { key: null })
  await own.get('/v1/hush')
  for (const raw of ['{"attributes":{}}', '{"attributes":{}}', '{"attributes":{"a":"b"}}']) await attributes(raw)
  await new Promise((resolve) => setImmediate(resolve)) // The line is written after the response.
  const text = await own.ctx.metrics.text()
  const counted = [...text.matchAll(/duration_seconds_count\{method="(\w+)",route="([^"]*)",status="(\d+)"\} (\d+)/g)]
  expect(counted.map(([, ...labels]) => labels.join(' ')).sort()).toEqual([
    'GET /v1/offerings 200 1',
    'GET /v1/offerings 304 1',
    'GET /v1/subscribers/:appUserId/access 401 1',
    'GET unknown 404 1',
    'POST /v1/me/attributes 200 2',
    'POST /v1/me/attributes 422 1',
  ])
  await own.close()
})
