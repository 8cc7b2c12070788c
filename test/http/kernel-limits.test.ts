import { afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type LimitState, retryAfterSeconds, SlidingWindow } from '../../src/base/http/rate-limit'
import { clientIp } from '../../src/base/http/request'
import { HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { createKey, rotateKey } from '../../src/projects/project/service'
import { type Answer, type Stage, stage } from '../support/cast'

const SEED = 20261120
const opened: Stage[] = []
afterEach(async () => {
  for (const s of opened.splice(0)) await s.close()
})

/** A deployment with these rates per minute. The address of a caller is in X-Forwarded-For. */
async function withRates(ip: number, key: number, env: Record<string, string> = {}): Promise<Stage> {
  const s = await stage({
    env: { SVC_RATE_IP: String(ip), SVC_RATE_KEY: String(key), SVC_TRUSTED_PROXIES: '1', ...env },
  })
  opened.push(s)
  return s
}

const ask = (s: Stage, key: string | null = s.project.publicKey, from = '203.0.113.1'): Promise<Answer> =>
  s.call('GET', '/v1/offerings', { key, headers: { 'x-forwarded-for': from } })

async function statuses(times: number, call: () => Promise<Answer>): Promise<number[]> {
  const seen: number[] = []
  for (let index = 0; index < times; index++) seen.push((await call()).status)
  return seen
}

describe('a sliding window', () => {
  const MAX_LIMIT = 8
  const pause = fc.oneof(fc.integer({ min: 0, max: 25 * SECOND }), fc.integer({ min: 0, max: 2 }))
  const steps = fc.array(pause, { minLength: 1, maxLength: 200 })
  const limits = fc.integer({ min: 1, max: MAX_LIMIT })

  /** Hits with these pauses between them; returns the instants of the allowed hits. */
  function passing(pauses: readonly number[], limit: number, check: (state: LimitState, now: number) => void) {
    const window = new SlidingWindow()
    const passed: number[] = []
    let now = 1_000_000
    for (const pause of pauses) {
      now += pause
      const state = window.hit('ip', 'who', limit, now)
      if (!state) throw new Error('there is a limit')
      check(state, now)
      if (!state.isExceeded) passed.push(now)
    }
    return passed
  }

  const within = (passed: readonly number[], now: number) => passed.filter((at) => at > now - MINUTE && at <= now)

  test('never lets more than the limit through in any 60 s', () => {
    const law = (pauses: number[], limit: number): void => {
      const passed = passing(pauses, limit, () => {})
      for (const at of passed) expect(within(passed, at).length).toBeLessThanOrEqual(limit)
    }
    fc.assert(fc.property(steps, limits, law), { seed: SEED, numRuns: 500 })
  })

  test('refuses only when the limit is used up, and tells when and how much is left', () => {
    const law = (pauses: number[], limit: number): void => {
      const passed: number[] = []
      passing(pauses, limit, (state, now) => {
        const before = within(passed, now)
        expect(state.isExceeded).toBe(before.length === limit)
        if (!state.isExceeded) passed.push(now)
        expect(state.remaining).toBe(limit - within(passed, now).length)
        expect(state.resetAt).toBe((within(passed, now)[0] ?? now) + MINUTE)
      })
    }
    fc.assert(fc.property(steps, limits, law), { seed: SEED, numRuns: 500 })
  })

  test('lets through the caller who waited as long as told, and not 1 ms earlier', () => {
    const window = new SlidingWindow()
    const now = 5_000_000
    for (let index = 0; index < 3; index++) window.hit('ip', 'who', 3, now + index)
    const refused = window.hit('ip', 'who', 3, now + 10)
    expect(refused).toMatchObject({ isExceeded: true, resetAt: now + MINUTE })
    expect(window.hit('ip', 'who', 3, now + MINUTE - 1)?.isExceeded).toBe(true)
    expect(window.hit('ip', 'who', 3, now + MINUTE)?.isExceeded).toBe(false)
    expect(window.hit('ip', 'who', 3, now + MINUTE)?.isExceeded).toBe(true)
  })

  test('keeps callers and limiters apart', () => {
    const window = new SlidingWindow()
    for (const [limiter, who] of [
      ['ip', 'a'],
      ['ip', 'b'],
      ['key', 'a'],
    ] as const)
      expect(window.hit(limiter, who, 1, 0)?.isExceeded).toBe(false)
    expect(window.hit('ip', 'a', 1, 0)?.isExceeded).toBe(true)
  })

  test('a limit of 0 is none', () => expect(new SlidingWindow().hit('ip', 'who', 0, 0)).toBeNull())

  test('nobody waits longer than 60 s when the wall clock is set back', () => {
    const window = new SlidingWindow()
    const now = 10 * HOUR
    for (let index = 0; index < 3; index++) window.hit('ip', 'who', 3, now)
    const set = now - HOUR
    expect(window.hit('ip', 'who', 3, set)?.isExceeded).toBe(false)
    window.hit('ip', 'who', 3, set)
    window.hit('ip', 'who', 3, set)
    const refused = window.hit('ip', 'who', 3, set)
    expect(refused && retryAfterSeconds(refused, set)).toBe(60)
  })

  test('what has left the window does not come back with the wall clock', () => {
    const window = new SlidingWindow()
    const remaining = (now: number) => window.hit('ip', 'who', 3, now)?.remaining
    expect([HOUR, HOUR, HOUR + MINUTE, HOUR, HOUR].map(remaining)).toEqual([2, 1, 2, 2, 1])
    expect(window.hit('ip', 'who', 3, HOUR)?.resetAt).toBe(HOUR + MINUTE)
  })

  test('remembers at most 100000 names, and an idle one for at most two minutes', () => {
    const window = new SlidingWindow()
    for (let index = 0; index < 300_000; index++) window.hit('ip', `address ${index}`, 1000, 1_000_000)
    expect(window.size).toBeLessThanOrEqual(100_000)
    expect(window.hit('ip', 'address 299999', 1, 1_000_000)?.isExceeded).toBe(true)
    window.hit('ip', 'somebody', 1000, 1_000_000 + MINUTE)
    window.hit('ip', 'somebody', 1000, 1_000_000 + 2 * MINUTE)
    expect(window.size).toBe(2)
  })
})

describe('headers', () => {
  test('both families name every limiter that ran, and the last as the narrowest', async () => {
    const s = await withRates(1000, 500)
    await ask(s)
    s.ctx.clock.advance(20_500)
    const { headers } = await ask(s)
    expect(headers.get('x-ratelimit-limit')).toBe('500')
    expect(headers.get('x-ratelimit-remaining')).toBe('498')
    const resetAt = s.ctx.clock.now() - 20_500 + MINUTE
    expect(headers.get('x-ratelimit-reset')).toBe(String(resetAt / SECOND))
    expect(headers.get('ratelimit-policy')).toBe('"ip";q=1000;w=60, "key";q=500;w=60')
    expect(headers.get('ratelimit')).toBe('"ip";r=998;t=40, "key";r=498;t=40')
  })

  test('a call that ends before the key check names the address alone', async () => {
    const s = await withRates(1000, 500)
    const { status, headers } = await ask(s, null)
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([401, '1000'])
    expect(headers.get('ratelimit-policy')).toBe('"ip";q=1000;w=60')
  })

  test('a route with a limit of its own is the narrowest', async () => {
    const s = await withRates(1000, 500)
    const { headers } = await s.post('/v1/receipts/ios', { receipt: 'x', appUserId: 'svc_ada', productId: 'p' })
    expect(headers.get('x-ratelimit-limit')).toBe('120')
    expect(headers.get('ratelimit-policy')).toBe('"ip";q=1000;w=60, "key";q=500;w=60, "receipts";q=120;w=60')
  })

  test('a rate of 0 is switched off and leaves no header', async () => {
    const s = await withRates(0, 0)
    const { headers } = await ask(s)
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-reset', 'ratelimit', 'ratelimit-policy'])
      expect(headers.has(name)).toBe(false)
    const keyOnly = await withRates(0, 1)
    expect((await ask(keyOnly)).headers.get('ratelimit-policy')).toBe('"key";q=1;w=60')
    expect(await statuses(2, () => ask(keyOnly, null))).toEqual([401, 401])
  })
})

describe('429', () => {
  test('has its exact body and whole seconds to wait', async () => {
    const s = await withRates(0, 2)
    await ask(s)
    s.ctx.clock.advance(37_400)
    await ask(s)
    const { status, headers, body } = await ask(s)
    expect(status).toBe(429)
    expect(body).toEqual({
      error: { code: 'RATE_LIMITED', message: 'Too many requests', details: { retryAfterSeconds: 23 } },
    })
    expect(headers.get('retry-after')).toBe('23')
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('is over exactly when it says, and a refused request does not prolong it', async () => {
    const s = await withRates(0, 2)
    expect(await statuses(3, () => ask(s))).toEqual([200, 200, 429])
    s.ctx.clock.advance(MINUTE - 1)
    const refused = await ask(s)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    s.ctx.clock.advance(1)
    expect(await statuses(3, () => ask(s))).toEqual([200, 200, 429])
  })

  test('for the address comes before the key check and counts strangers', async () => {
    const s = await withRates(2, 0)
    expect(await statuses(2, () => ask(s, null))).toEqual([401, 401])
    const { status, headers } = await ask(s)
    expect([status, headers.get('ratelimit-policy')]).toEqual([429, '"ip";q=2;w=60'])
    expect((await s.call('GET', '/nowhere', { headers: { 'x-forwarded-for': '203.0.113.1' } })).status).toBe(429)
    expect((await ask(s, s.project.publicKey, '203.0.113.2')).status).toBe(200)
  })

  test('for the key comes after the key check, before the kind guard, the claim and the body', async () => {
    const s = await withRates(0, 1)
    expect((await ask(s)).status).toBe(200)
    const { idempotencyKeys, subscribers } = s.ctx.tables
    const secretRoute = '/v1/virtual-currencies/ada/coins/transactions'
    const headers = { 'idempotency-key': 'one' }
    expect((await s.post(secretRoute, undefined, { raw: '{', headers })).status).toBe(429)
    expect((await s.get('/v1/me', 'svc_ada')).status).toBe(429)
    expect(await s.ctx.db.select().from(idempotencyKeys)).toEqual([])
    expect(await s.ctx.db.select().from(subscribers)).toEqual([])
    expect((await ask(s, s.other.publicKey)).status).toBe(200)
    expect((await ask(s, `svc_pub_${'0'.repeat(32)}`)).status).toBe(401)
  })

  test('for receipts holds per device key', async () => {
    const s = await withRates(0, 0)
    const post = (appUserId: string) => s.post('/v1/receipts/ios', { receipt: 'x', appUserId, productId: 'p' })
    expect(new Set(await statuses(120, () => post('svc_ada')))).toEqual(new Set([400]))
    const refused = await post('svc_ada')
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '120'])
    expect((await post('svc_bo')).status).toBe(400)
    s.ctx.clock.advance(MINUTE)
    expect((await post('svc_ada')).status).toBe(400)
  })
})

describe('rates of keys', () => {
  const makeKey = async (s: Stage, ratePerMinute: number | null) => {
    const { publicKey, secretKey } = await createKey(s.ctx, s.project.id, { label: 'test', ratePerMinute })
    return { publicKey: publicKey ?? '', secretKey: secretKey ?? '' }
  }

  test('a key can carry its own rate, above or below the deployment', async () => {
    const s = await withRates(0, 2)
    const [low, high] = [await makeKey(s, 1), await makeKey(s, 5)]
    expect(await statuses(2, () => ask(s, low.publicKey))).toEqual([200, 429])
    expect(await statuses(6, () => ask(s, high.publicKey))).toEqual([200, 200, 200, 200, 200, 429])
    expect((await ask(s, high.publicKey)).headers.get('ratelimit-policy')).toBe('"key";q=5;w=60')
  })

  test('a rate of 0 lets a key through without limit, none takes the rate of the deployment', async () => {
    const s = await withRates(0, 1)
    const [free, plain] = [await makeKey(s, 0), await makeKey(s, null)]
    expect(new Set(await statuses(10, () => ask(s, free.publicKey)))).toEqual(new Set([200]))
    expect(await statuses(2, () => ask(s, plain.publicKey))).toEqual([200, 429])
  })

  for (const [name, own] of [
    ['the rate of the deployment', null],
    ['a rate of its own', 2],
  ] as const)
    test(`each half of a pair has all of ${name}: apps do not throttle the server`, async () => {
      const s = await withRates(0, own === null ? 2 : 1)
      const pair = await makeKey(s, own)
      expect(await statuses(3, () => ask(s, pair.publicKey))).toEqual([200, 200, 429])
      expect(await statuses(3, () => ask(s, pair.secretKey))).toEqual([200, 200, 429])
      expect((await ask(s, pair.secretKey)).headers.get('ratelimit-policy')).toBe('"key";q=2;w=60')
    })

  test('both mounts share the rate of the public half', async () => {
    const s = await withRates(0, 2)
    const pair = await makeKey(s, 2)
    const headers = { origin: 'https://app.example.com' }
    expect((await ask(s, pair.publicKey)).status).toBe(200)
    const path = `/v1/web/${pair.publicKey}/offerings`
    expect((await s.call('GET', path, { key: pair.publicKey, headers })).status).toBe(200)
    expect((await ask(s, pair.publicKey)).status).toBe(429)
  })

  test('the secret before a rotation and the one after it share the rate of the secret half', async () => {
    const s = await withRates(0, 2)
    const { key, secretKey } = await createKey(s.ctx, s.project.id, { label: 'test' })
    expect((await ask(s, secretKey)).status).toBe(200)
    const rotated = await rotateKey(s.ctx, key.id, 24)
    s.ctx.state.keys.forget(s.project.id)
    expect((await ask(s, rotated.secretKey)).status).toBe(200)
    expect(await statuses(1, () => ask(s, secretKey))).toEqual([429])
  })
})

describe('what is not limited', () => {
  test('health checks and preflights neither count nor are refused', async () => {
    const s = await withRates(1, 0)
    const from = { 'x-forwarded-for': '203.0.113.1' }
    for (const path of ['/health', '/health/ready'])
      for (let index = 0; index < 3; index++) {
        const { status, headers } = await s.call('GET', path, { key: null, headers: from })
        expect([status, headers.has('x-ratelimit-limit')]).toEqual([200, false])
      }
    for (let index = 0; index < 3; index++)
      expect((await s.call('OPTIONS', '/v1/offerings', { key: null, headers: from })).status).toBe(204)
    expect(await statuses(2, () => ask(s))).toEqual([200, 429])
    expect((await s.call('GET', '/health', { key: null, headers: from })).status).toBe(200)
  })

  test('a path that only begins like a health check is limited', async () => {
    const s = await withRates(1, 0)
    const from = { 'x-forwarded-for': '203.0.113.1' }
    const path = () => s.call('GET', '/healthy', { key: null, headers: from })
    expect(await statuses(2, path)).toEqual([404, 429])
  })
})

describe('the address of a caller', () => {
  const cases: [name: string, socket: string, forwarded: string | null, proxies: number, ip: string][] = [
    ['without proxies is the socket, whatever the header says', '192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
    ['without a header is the socket', '192.0.2.1', null, 1, '192.0.2.1'],
    ['behind one proxy is the last entry', '192.0.2.1', 'spoofed, 203.0.113.9', 1, '203.0.113.9'],
    ['behind two proxies is the last but one', '192.0.2.1', 'spoofed, 203.0.113.9, 198.51.100.1', 2, '203.0.113.9'],
    ['of too few entries is the first', '192.0.2.1', '203.0.113.9', 2, '203.0.113.9'],
    ['is trimmed', '192.0.2.1', 'x ,  203.0.113.9 ', 1, '203.0.113.9'],
    ['loses a port', '192.0.2.1', '203.0.113.9:50123', 1, '203.0.113.9'],
    ['in IPv6 is its /64', '2001:db8:1:2:3:4:5:6', null, 0, '2001:db8:1:2::/64'],
    ['in short IPv6 is its /64', '2001:db8::1', null, 0, '2001:db8:0:0::/64'],
    ['in IPv6 ends with the fourth group', '2001:db8:0:7::', null, 0, '2001:db8:0:7::/64'],
    ['in IPv6 is the same in any case and with zeros in front', '2001:0DB8:0001::1', null, 0, '2001:db8:1:0::/64'],
    ['in brackets loses them and the port', '192.0.2.1', '[2001:db8:1::5]:443', 1, '2001:db8:1:0::/64'],
    ['of the loopback is a network too', '::1', null, 0, '0:0:0:0::/64'],
    ['in IPv4 written as IPv6 is the IPv4 address', '::ffff:192.0.2.7', null, 0, '192.0.2.7'],
  ]
  for (const [name, socket, forwarded, proxies, ip] of cases)
    test(name, () => expect(clientIp(socket, forwarded, proxies)).toBe(ip))

  test('in one /64 shares a limit, another /64 does not', async () => {
    const s = await withRates(1, 0)
    const from = (ip: string) => ask(s, s.project.publicKey, ip).then(({ status }) => status)
    expect(await from('2001:db8:1:2::1')).toBe(200)
    expect(await from('2001:db8:1:2:ffff::9')).toBe(429)
    expect(await from('2001:db8:1:3::1')).toBe(200)
  })

  test('cannot be chosen by a caller behind a trusted proxy', async () => {
    const s = await withRates(1, 0)
    const from = (spoofed: string) => ask(s, s.project.publicKey, `${spoofed}, 203.0.113.1`)
    expect((await from('10.0.0.1')).status).toBe(200)
    expect((await from('10.0.0.2')).status).toBe(429)
    const direct = await withRates(1, 0, { SVC_TRUSTED_PROXIES: '0' })
    expect((await ask(direct, direct.project.publicKey, '10.0.0.1')).status).toBe(200)
    expect((await ask(direct, direct.project.publicKey, '10.0.0.2')).status).toBe(429)
  })
})
