import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SlidingWindow } from '../../src/base/http/rate-limit'
import { SharedCache } from '../../src/base/http/shared/shared-cache'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import type { SimulatedEvent } from '../../src/test-store/stores/payment-world'
import { type Answer, type Stage, stage } from '../support/cast'
import { storeEvents } from '../support/notify'
import { type PaymentStage, paymentStage } from '../support/payment'
import { redisMissing, startRedisBehindProxy } from '../support/redis-server'
import { openStream } from '../support/stream'

type Redis = Awaited<ReturnType<typeof startRedisBehindProxy>>

const missing = redisMissing()
if (missing !== null) console.warn(`Skipped: the shared cache, because ${missing}.`)

let redis: Redis
let stages: Stage[] = []

describe.skipIf(missing !== null)('a shared cache', () => {
  beforeAll(async () => {
    redis = await startRedisBehindProxy()
  })
  afterAll(() => redis.stop())
  afterEach(async () => {
    for (const s of stages) await s.close()
    stages = []
    redis.proxy.thaw()
    await redis.proxy.leave()
    await redis.proxy.comeBack()
    const client = new Bun.RedisClient(redis.url)
    await client.send('FLUSHALL', [])
    client.close()
  })

  /** Processes of one deployment, as far as the cache is concerned: their projects and keys have the same ids. */
  async function processes(env: Record<string, string> = {}): Promise<[Stage, Stage]> {
    const both = [await join(env), await join(env)] as const
    return [both[0], both[1]]
  }

  async function join(env: Record<string, string>): Promise<Stage> {
    const made = await stage({ env: { SVC_CACHE_URL: redis.url, ...env } })
    stages.push(made)
    return made
  }

  const offerings = (s: Stage) => s.get('/v1/offerings')
  const remaining = ({ headers }: Answer) => headers.get('x-ratelimit-remaining')

  test('counts exactly as one process does', async () => {
    const cache = new SharedCache(redis.url, createLog({ level: 'off', now: () => 0, write: () => {} }))
    const step = fc.record({
      who: fc.constantFrom('a', 'b'),
      ms: fc.integer({ min: 0, max: 25_000 }),
      amount: fc.integer({ min: 1, max: 3 }),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 25 }), async (limit, steps) => {
        const window = new SlidingWindow()
        let now = 1_790_000_000_000
        run++
        for (const { who, ms, amount } of steps) {
          now += ms
          const own = window.hit('key', who, limit, now, amount)
          const all = await cache.hit(`${run} ${who}`, limit, now, amount, MINUTE)
          expect([all?.isExceeded, Math.max(0, limit - (all?.count ?? 0))]).toEqual([own?.isExceeded, own?.remaining])
          expect((all?.oldest ?? 0) + MINUTE).toBe(own?.resetAt ?? 0)
        }
      }),
      { numRuns: 60 },
    )
    cache.close()
  })

  test.each([
    ['key', { SVC_RATE_KEY: '5' }],
    ['address', { SVC_RATE_IP: '5' }],
  ])('lets two processes share the rate of one %s', async (_name, env) => {
    const [a, b] = await processes(env)
    for (const [index, s] of [a, b, a, b, b].entries()) {
      const answer = await offerings(s)
      expect([answer.status, remaining(answer)]).toEqual([200, String(4 - index)])
    }
    for (const s of [a, b]) {
      const refused = await offerings(s)
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      s.ctx.clock.advance(MINUTE)
    }
    expect((await offerings(b)).status).toBe(200)
  })

  test('counts answers from memory with the others, and lets exactly as many through as may pass at once', async () => {
    const [a, b] = await processes({ SVC_RATE_KEY: '40' })
    const calls = Array.from({ length: 60 }, (_, index) => offerings(index % 2 === 0 ? a : b))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  test('limits the receipts of one device over all processes', async () => {
    const [a, b] = await processes()
    const post = (s: Stage) =>
      s.post('/v1/receipts/ios', { receipt: 'x', appUserId: 'svc_a', productId: 'pro_monthly' })
    for (let index = 0; index < 120; index++) expect((await post(index % 2 === 0 ? a : b)).status).toBe(400)
    expect([(await post(a)).status, (await post(b)).status]).toEqual([429, 429])
  })

  test.each(['away', 'frozen'] as const)(
    'that is %s leaves each process its own count, and tells the log once',
    async (how) => {
      const [a, b] = await processes({ SVC_RATE_KEY: '4' })
      for (const s of [a, b]) expect((await offerings(s)).status).toBe(200)
      if (how === 'away') await redis.proxy.leave()
      else redis.proxy.freeze()
      for (const s of [a, b]) {
        const statuses = []
        for (let index = 0; index < 4; index++) statuses.push((await offerings(s)).status)
        expect(statuses).toEqual([200, 200, 200, 429])
        expect(s.ctx.lines.filter((line) => line.includes('the shared cache does not answer'))).toHaveLength(1)
        expect(s.ctx.lines.join('')).not.toContain('redis://')
      }
    },
  )

  test('that comes back is used again', async () => {
    const [a, b] = await processes({ SVC_RATE_KEY: '3' })
    await redis.proxy.leave()
    expect((await offerings(a)).status).toBe(200)
    await redis.proxy.comeBack()
    for (const s of [a, b]) {
      s.ctx.clock.advance(2 * MINUTE)
      while (s.ctx.state.sharedCache && !(await isAnswering(s.ctx.state.sharedCache))) await Bun.sleep(10)
    }
    for (const s of [a, b, a]) expect((await offerings(s)).status).toBe(200)
    expect((await offerings(b)).status).toBe(429)
    expect(a.ctx.lines.some((line) => line.includes('the shared cache answers again'))).toBe(true)
  })

  const isAnswering = (cache: SharedCache) =>
    cache.hasMark('probe').then(
      () => true,
      () => false,
    )

  describe('of streams', () => {
    const path = '?subscriberId=svc_a'
    const from = { headers: { 'x-forwarded-for': '203.0.113.7' } }
    const env = (limit: number) => ({ SVC_STREAMS_PER_IP: String(limit), SVC_TRUSTED_PROXIES: '1' })
    const ask = (s: Stage) => s.call('GET', `/v1/config/stream${path}`, from)
    const open = (s: Stage) => openStream(s, `/v1/config/stream${path}`, from)

    test('counts the streams of one address over all processes', async () => {
      const [a, b] = await processes(env(2))
      const first = await open(a)
      const second = await open(b)
      for (const s of [a, b]) expect((await ask(s)).status).toBe(429)
      await first.leave()
      while (
        (await a.ctx.state.sharedCache?.takeLease(
          'streams:203.0.113.7',
          'x',
          2,
          a.ctx.clock.now(),
          a.ctx.clock.now() + 1,
        )) === false
      )
        await Bun.sleep(2)
      await second.leave()
    })

    test('is asked before a stream opens: 503 when it does not answer, and no stream is open', async () => {
      const [a] = await processes()
      await redis.proxy.leave()
      const refused = await ask(a)
      expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
        503,
        'CACHE_UNAVAILABLE',
        '5',
      ])
      expect((await a.get('/v1/config?subscriberId=svc_a')).status).toBe(200)
    })

    test('a place whose process has died is free after a minute', async () => {
      const [a, b] = await processes(env(1))
      await open(a)
      expect((await ask(b)).status).toBe(429)
      b.ctx.clock.advance(MINUTE + SECOND)
      const taken = await open(b)
      await taken.leave()
    })

    test('a place is prolonged while its stream is open', async () => {
      const [a, b] = await processes(env(1))
      const held = await open(a)
      for (const s of [a, b]) s.ctx.clock.advance(50 * SECOND)
      await a.ctx.state.streamPlaces.prolong()
      for (const s of [a, b]) s.ctx.clock.advance(50 * SECOND)
      expect((await ask(b)).status).toBe(429)
      await held.leave()
    })
  })

  describe('of payment events', () => {
    async function bought(): Promise<{ s: PaymentStage; event: SimulatedEvent }> {
      const s = await paymentStage({ env: { SVC_CACHE_URL: redis.url } })
      stages.push(s)
      const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
      await subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: id } })
      const event = s.world.events.findLast(({ type }) => type === 'customer.subscription.created')
      if (!event) throw new Error('nothing was bought')
      return { s, event }
    }

    const deliver = async (s: PaymentStage, event: SimulatedEvent) =>
      s.deliver(await signEvent(event, { secret: s.secret, now: s.ctx.clock.now() }))

    test('answers a repetition without the database', async () => {
      const { s, event } = await bought()
      expect((await deliver(s, event)).body.data.duplicate).toBe(false)
      await s.ctx.write((tx) => tx.db.delete(tx.tables.storeEvents))
      const again = await deliver(s, event)
      expect([again.status, again.body.data]).toEqual([200, { received: true, duplicate: true }])
      expect(await storeEvents(s)).toEqual([])
    })

    test('503 when it does not answer; the event is processed when it is sent again', async () => {
      const { s, event } = await bought()
      await redis.proxy.leave()
      const refused = await deliver(s, event)
      expect([refused.status, refused.body.error.code]).toEqual([503, 'CACHE_UNAVAILABLE'])
      expect(await storeEvents(s)).toEqual([])
      await redis.proxy.comeBack()
      const { sharedCache } = s.ctx.state
      while (sharedCache && !(await isAnswering(sharedCache))) await Bun.sleep(10)
      expect((await deliver(s, event)).body.data).toEqual({ received: true, duplicate: false })
      expect((await storeEvents(s)).map(({ status }) => status)).toEqual(['PROCESSED'])
    })

    test('an event that failed leaves no mark', async () => {
      const { s, event } = await bought()
      s.server.faults = { ...NO_FAULTS, status: 503 }
      const failed = await deliver(s, event)
      expect(failed.status).toBeGreaterThanOrEqual(500)
      s.server.faults = NO_FAULTS
      expect(await s.ctx.state.sharedCache?.hasMark(`payment:${s.project.id}:${event.id}`)).toBe(false)
    })
  })
})
