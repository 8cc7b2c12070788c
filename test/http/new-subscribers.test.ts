import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { startServer } from '../../src/server'
import { type AndroidStage, androidStage } from '../support/android'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { configure } from '../support/remote'
import { askStream } from '../support/stream'

const LIMIT = 2
let s: AndroidStage
beforeAll(async () => {
  s = await androidStage({ env: { SVC_RATE_NEW: String(LIMIT), SVC_TRUSTED_PROXIES: '1' } })
  const startedAt = s.ctx.clock.now()
  await configure(s, { experiments: [{ id: 'exp_1', key: 'checkout_test', startedAt, metrics: ['purchase'] }] })
})
afterAll(() => s.close())

type Headers = Record<string, string>
/** A call of a device from an address; `key` is the public key when it is absent. */
type Call = (device: string, headers: Headers, key?: string) => Promise<Answer>

const get =
  (path: string, name = 'x-svc-app-user-id'): Call =>
  (device, headers, key = s.project.publicKey) =>
    s.call('GET', path, { key, headers: { [name]: device, ...headers } })

const post =
  (path: (device: string) => string, bodyOf: (device: string) => unknown, name = 'x-svc-app-user-id'): Call =>
  (device, headers, key = s.project.publicKey) =>
    s.call('POST', path(device), { key, body: bodyOf(device), headers: { [name]: device, ...headers } })

const stream = async (query: string, headers: Headers, key: string | null): Promise<Answer> => {
  const response = await askStream(s, query, { key, headers })
  const isOpen = response.status === 200
  const body = isOpen ? null : await response.json()
  if (isOpen) await response.body?.cancel()
  return { status: response.status, headers: response.headers, body }
}

/** A stream token is given without creating a row; the stream that it opens creates one. */
const streamByToken: Call = async (device, headers, key = s.project.publicKey) => {
  const body = { context: { targetingKey: device } }
  const bulk = await s.post('/ofrep/v1/evaluate/flags', body, { key, headers: { 'x-forwarded-for': '198.51.100.99' } })
  const { search } = new URL(bulk.body.eventStreams[0].url)
  return stream(search.slice(1), headers, null)
}

const iosReceipt = () => ({ receipt: s.sign(s.buy(MONTHLY)), productId: 'pro_monthly' })

/** Every route that creates the subscriber of a device key that nobody has used before (wire 1.8). */
const CREATING: [name: string, call: Call][] = [
  ['GET /v1/me', get('/v1/me')],
  ['GET /v1/me/access', get('/v1/me/access')],
  ['GET /v1/me/entitlements', get('/v1/me/entitlements')],
  ['GET /v1/me/bootstrap', get('/v1/me/bootstrap')],
  ['GET /v1/me/access-lease', get('/v1/me/access-lease')],
  [
    'POST /v1/me/attributes',
    post(
      () => '/v1/me/attributes',
      () => ({ attributes: { a: 'b' } }),
    ),
  ],
  [
    'POST /v1/subscribers/:appUserId/attributes',
    post(
      (device) => `/v1/subscribers/${device}/attributes`,
      () => ({ attributes: {} }),
    ),
  ],
  ['GET /v1/virtual-currencies/me', get('/v1/virtual-currencies/me')],
  ['GET /v1/config', get('/v1/config', 'x-svc-user-id')],
  [
    'POST /v1/config',
    post(
      () => '/v1/config',
      () => ({}),
      'x-svc-user-id',
    ),
  ],
  [
    'GET /v1/config/stream',
    (device, headers, key = s.project.publicKey) => stream(`subscriberId=${device}`, headers, key),
  ],
  ['GET /v1/config/stream with a stream token', streamByToken],
  [
    'POST /v1/experiments/track',
    post(
      (device) => `/v1/experiments/track?subscriberId=${device}`,
      () => ({ events: [{ type: 'x' }] }),
    ),
  ],
  [
    'POST /v1/experiments/:id/expose',
    post(
      () => '/v1/experiments/checkout_test/expose',
      (subscriberId) => ({ subscriberId, variantId: 'a' }),
    ),
  ],
  [
    'POST /v1/identify',
    post(
      () => '/v1/identify',
      (deviceKey) => ({ deviceKey, appUserId: `label of ${deviceKey}` }),
    ),
  ],
  [
    'POST /v1/receipts/ios',
    post(
      () => '/v1/receipts/ios',
      (appUserId) => ({ ...iosReceipt(), appUserId }),
    ),
  ],
  [
    'POST /v1/subscribers/:appUserId/restore',
    post(
      (device) => `/v1/subscribers/${device}/restore`,
      () => ({ receipts: [{ ...iosReceipt(), store: 'IOS_STORE' }] }),
    ),
  ],
]

let addresses = 0
const fromNewAddress = (): Headers => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })

async function countRows(): Promise<number> {
  return (await s.ctx.db.select().from(s.ctx.tables.subscribers)).length
}

/** The limits that a call counted against, without the one of receipts. */
const policyOf = ({ headers }: Answer) =>
  headers.get('ratelimit-policy')?.replace(/"receipts";q=120;w=60(, )?/, '') || null

describe('new subscribers of one address', () => {
  for (const [name, call] of CREATING)
    test(`are limited on ${name}; known ones and the server are not`, async () => {
      const headers = fromNewAddress()
      const device = (n: number) => `svc_${addresses}_${n}`
      for (const n of [1, 2]) {
        const answer = await call(device(n), headers)
        expect([answer.status, policyOf(answer)]).toEqual([200, `"new";q=${LIMIT};w=60`])
        expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - n))
      }
      const rows = await countRows()
      const refused = await call(device(3), headers)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(JSON.stringify(refused.body)).toContain('Too many requests')
      if (!name.includes('stream')) expect(refused.body.error.details).toEqual({ retryAfterSeconds: 60 })
      expect(await countRows()).toBe(rows)

      const known = await call(device(1), headers)
      expect([known.status, policyOf(known)]).toEqual([200, null])
      const server = await call(device(4), headers, s.project.secretKey)
      expect([server.status, policyOf(server)]).toEqual([200, null])
      expect((await call(device(5), fromNewAddress())).status).toBe(200)
      s.ctx.clock.advance(MINUTE)
      expect((await call(device(3), headers)).status).toBe(200)
    })

  test('are limited on Android receipts, which count only when a row was created', async () => {
    const headers = fromNewAddress()
    const post = (appUserId: string, receipt: string) =>
      s.post('/v1/receipts/android', { receipt, appUserId, productId: 'pro_monthly' }, { headers })
    for (const n of [1, 2, 3]) expect((await post(`svc_junk_${n}`, 'junk')).status).toBe(400)
    for (const n of [1, 2]) expect((await get('/v1/me')(`svc_android_${n}`, headers)).status).toBe(200)
    expect((await get('/v1/me')('svc_android_3', headers)).status).toBe(429)
  })

  test('do not include those that a refused call would have created', async () => {
    const headers = fromNewAddress()
    const call = (name: string) => CREATING.find(([one]) => one === name)?.[1] ?? get('')
    const rows = await countRows()
    const bad = { receipt: 'x', productId: 'pro_monthly' }
    for (const n of [1, 2, 3]) {
      await s.post('/v1/receipts/ios', { ...bad, appUserId: `svc_refused_${n}` }, { headers })
      await s.post(
        '/v1/me/attributes',
        { attributes: { $bad: 1 } },
        { headers: { ...headers, 'x-svc-app-user-id': 'svc_r' } },
      )
      await s.get(`/v1/subscribers/svc_refused_${n}/access`, undefined, { headers })
      await s.post('/v1/experiments/checkout_test/expose', { subscriberId: 'svc_r', variantId: 'zz' }, { headers })
    }
    expect(await countRows()).toBe(rows)
    for (const n of [1, 2]) expect((await call('GET /v1/me')(`svc_after_${n}`, headers)).status).toBe(200)
    expect((await call('GET /v1/me')('svc_after_3', headers)).status).toBe(429)
  })

  test('do not include the row of a transaction that was rolled back', async () => {
    const headers = fromNewAddress()
    const payload = s.buy(MONTHLY)
    const submit = (appUserId: string) =>
      s.post('/v1/receipts/ios', { receipt: s.sign(payload), appUserId, productId: 'pro_monthly' }, { headers })
    await s.post('/v1/identify', { deviceKey: 'svc_owner', appUserId: 'owner' }, { key: s.project.secretKey })
    const submitted = { receipt: s.sign(payload), appUserId: 'svc_owner', productId: 'pro_monthly' }
    expect((await s.post('/v1/receipts/ios', submitted, { key: s.project.secretKey })).status).toBe(200)
    const rows = await countRows()
    for (const n of [1, 2, 3, 4]) await submit(`svc_thief_${n}`)
    const created = (await countRows()) - rows
    for (let n = created; n < LIMIT; n++) expect((await get('/v1/me')(`svc_rest_${n}`, headers)).status).toBe(200)
    expect((await get('/v1/me')('svc_rest_end', headers)).status).toBe(429)
  })

  test('include the row that a device gets when its person changes accounts', async () => {
    const headers = fromNewAddress()
    const identify = (appUserId: string) => s.post('/v1/identify', { deviceKey: 'svc_shared', appUserId }, { headers })
    expect((await identify('first')).status).toBe(200)
    expect((await identify('second')).status).toBe(200)
    expect((await identify('third')).status).toBe(429)
    expect((await identify('second')).status).toBe(200)
  })

  for (const [name, call] of CREATING)
    test(`that arrive at once on ${name} get exactly as many places as there are`, async () => {
      const headers = fromNewAddress()
      const rows = await countRows()
      const calls = Array.from({ length: 12 }, (_, n) => call(`svc_once_${addresses}_${n}`, headers))
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
      expect(new Set(statuses)).toEqual(new Set([200, 429]))
      expect((await countRows()) - rows).toBe(LIMIT)
    })

  test('that are one device in many calls at once count once', async () => {
    const headers = fromNewAddress()
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/v1/me')('svc_same', headers)))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(LIMIT)
    expect((await get('/v1/me')('svc_same', headers)).status).toBe(200)
    expect((await get('/v1/me')('svc_same_2', headers)).status).toBe(200)
    expect((await get('/v1/me')('svc_same_3', headers)).status).toBe(429)
  })

  test('are those of the address that the trusted proxy saw, whatever the caller writes in front', async () => {
    const from = (spoofed: string) => ({ 'x-forwarded-for': `${spoofed}, 203.0.113.250` })
    for (const n of [1, 2]) expect((await get('/v1/me')(`svc_spoof_${n}`, from(`10.0.0.${n}`))).status).toBe(200)
    expect((await get('/v1/me')('svc_spoof_3', from('10.0.0.3'))).status).toBe(429)
  })

  test('are those of a /64 of IPv6', async () => {
    const from = (ip: string) => ({ 'x-forwarded-for': ip })
    expect((await get('/v1/me')('svc_six_1', from('2001:db8:6:1::1'))).status).toBe(200)
    expect((await get('/v1/me')('svc_six_2', from('2001:db8:6:1:ffff::2'))).status).toBe(200)
    expect((await get('/v1/me')('svc_six_3', from('2001:db8:6:1::3'))).status).toBe(429)
    expect((await get('/v1/me')('svc_six_3', from('2001:db8:6:2::3'))).status).toBe(200)
  })

  test('do not stay refused when the wall clock is set back', async () => {
    const headers = fromNewAddress()
    for (const n of [1, 2]) await get('/v1/me')(`svc_back_${n}`, headers)
    expect((await get('/v1/me')('svc_back_3', headers)).status).toBe(429)
    const now = s.ctx.clock.now()
    s.ctx.clock.set(now - HOUR)
    expect((await get('/v1/me')('svc_back_3', headers)).status).toBe(200)
    s.ctx.clock.set(now)
  })

  test('release the Idempotency-Key of a refused call', async () => {
    const headers = { ...fromNewAddress(), 'idempotency-key': 'new' }
    const call = post(
      () => '/v1/me/attributes',
      () => ({ attributes: { a: 'b' } }),
    )
    for (const n of [1, 2]) expect((await call(`svc_key_${n}`, headers)).status).toBe(200)
    expect((await call('svc_key_3', headers)).status).toBe(429)
    s.ctx.clock.advance(MINUTE)
    const retry = await call('svc_key_3', headers)
    expect([retry.status, retry.headers.has('idempotent-replay')]).toEqual([200, false])
  })
})

describe('SVC_RATE_NEW', () => {
  const createdBy = async (own: Stage, count: number) => {
    const statuses: number[] = []
    for (let n = 0; n < count; n++) statuses.push((await own.get('/v1/me', `svc_${n}`)).status)
    return statuses
  }

  test('is 120 when it is not set', async () => {
    const own = await stage({ env: { SVC_RATE_NEW: '' } })
    const statuses = await createdBy(own, 121)
    expect(statuses.slice(0, 120).every((status) => status === 200)).toBe(true)
    expect(statuses[120]).toBe(429)
    await own.close()
  })

  test('of 0 is no limit', async () => {
    const own = await stage({ env: { SVC_RATE_NEW: '0' } })
    expect(new Set(await createdBy(own, 150))).toEqual(new Set([200]))
    await own.close()
  })

  test('counts the address of the socket where no proxy is trusted', async () => {
    const own = await stage({ env: { SVC_RATE_NEW: '1', SVC_PORT: '0', SVC_INTERNAL_PORT: '0' } })
    const server = await startServer(own.ctx)
    const statusOf = async (device: string, forwarded: string) => {
      const headers = { authorization: `Bearer ${own.project.publicKey}`, 'x-svc-app-user-id': device }
      return (await fetch(`${server.url}/v1/me`, { headers: { ...headers, 'x-forwarded-for': forwarded } })).status
    }
    expect(await statusOf('svc_1', '10.0.0.1')).toBe(200)
    expect(await statusOf('svc_2', '10.0.0.2')).toBe(429)
    await server.stop()
  })
})
