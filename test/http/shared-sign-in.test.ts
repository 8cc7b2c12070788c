import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { BEHIND_PROXY, makeUser, signedIn } from '../support/accounts'
import { type Answer, type Stage, stage } from '../support/cast'
import { redisMissing, startRedisBehindProxy } from '../support/redis-server'
import { refusal, Visitor } from '../support/visitor'

type Redis = Awaited<ReturnType<typeof startRedisBehindProxy>>

const missing = redisMissing()
if (missing !== null) console.warn(`Skipped: limits of the sign-in with a shared cache, because ${missing}.`)

let redis: Redis
let stages: Stage[] = []

describe.skipIf(missing !== null)('with a shared cache, two processes', () => {
  beforeAll(async () => {
    redis = await startRedisBehindProxy()
  })
  afterAll(() => redis.stop())
  afterEach(async () => {
    for (const s of stages) await s.close()
    stages = []
    await redis.proxy.leave()
    await redis.proxy.comeBack()
    const client = new Bun.RedisClient(redis.url)
    await client.send('FLUSHALL', [])
    client.close()
  })

  async function processes(): Promise<[Stage, Stage]> {
    const join = async () => {
      const made = await stage({ env: { ...BEHIND_PROXY, SVC_CACHE_URL: redis.url } })
      stages.push(made)
      return made
    }
    return [await join(), await join()]
  }

  const nobody = (s: Stage, email: string, ip: string) => new Visitor(s, ip).signIn(email, 'a wrong password')
  const limited = ({ status, headers }: Answer) => [status, Number(headers.get('retry-after'))]

  test('count the attempts for a mail address from a client address together, for 15 minutes', async () => {
    const [a, b] = await processes()
    for (let index = 0; index < 10; index++) {
      const answer = await nobody(index % 2 === 0 ? a : b, 'ada@example.com', '203.0.113.1')
      expect([...refusal(answer), answer.headers.get('x-ratelimit-remaining')]).toEqual([
        401,
        'UNAUTHORIZED',
        String(9 - index),
      ])
      expect(answer.headers.get('ratelimit-policy')).toEndWith('"mail";q=10;w=900')
    }
    for (const s of [a, b]) {
      const tooMany = await nobody(s, 'Ada@Example.com', '203.0.113.1')
      expect(refusal(tooMany)).toEqual([429, 'RATE_LIMITED'])
      expect(limited(tooMany)).toEqual([429, 900])
      expect(refusal(await nobody(s, 'ada@example.com', '203.0.113.2'))).toEqual([401, 'UNAUTHORIZED'])
      expect(refusal(await nobody(s, 'bo@example.com', '203.0.113.1'))).toEqual([401, 'UNAUTHORIZED'])
    }
    for (const s of [a, b]) s.ctx.clock.advance(15 * MINUTE)
    expect(refusal(await nobody(b, 'ada@example.com', '203.0.113.1'))).toEqual([401, 'UNAUTHORIZED'])
  })

  test('count the attempts of a client address together, whatever address it gives', async () => {
    const [a, b] = await processes()
    for (let index = 0; index < 20; index++)
      expect((await nobody(index % 2 === 0 ? a : b, `p${index}@example.com`, '203.0.113.1')).status).toBe(401)
    for (const s of [a, b]) {
      expect(refusal(await nobody(s, 'another@example.com', '203.0.113.1'))).toEqual([429, 'RATE_LIMITED'])
      expect(refusal(await nobody(s, 'another@example.com', '203.0.113.2'))).toEqual([401, 'UNAUTHORIZED'])
    }
    for (const s of [a, b]) s.ctx.clock.advance(MINUTE)
    expect(refusal(await nobody(b, 'another@example.com', '203.0.113.1'))).toEqual([401, 'UNAUTHORIZED'])
  })

  test('count the proofs of a person within a session by the person, together', async () => {
    const [a, b] = await processes()
    const id = await makeUser(a, 'ada@example.com')
    await makeUser(b, 'ada@example.com')
    const row = { id }
    await b.ctx.write((tx) => tx.db.update(tx.tables.users).set(row))
    const [left, right] = [await signedIn(a, 'ada@example.com'), await signedIn(b, 'ada@example.com')]
    const prove = (who: Visitor) => who.post('/dashboard/me/two-factor/enable', { password: 'a wrong password' })
    for (let index = 0; index < 10; index++)
      expect(refusal(await prove(index % 2 === 0 ? left : right))).toEqual([401, 'UNAUTHORIZED'])
    for (const who of [left, right]) expect(refusal(await prove(who))).toEqual([429, 'RATE_LIMITED'])
  })

  test('count alone while the cache does not answer, and refuse nobody for it', async () => {
    const [a, b] = await processes()
    for (let index = 0; index < 9; index++) expect((await nobody(a, 'ada@example.com', '203.0.113.1')).status).toBe(401)
    await redis.proxy.leave()
    const statuses = async (s: Stage, times: number) => {
      const all: number[] = []
      for (let index = 0; index < times; index++) all.push((await nobody(s, 'ada@example.com', '203.0.113.1')).status)
      return all
    }
    expect(await statuses(a, 2)).toEqual([401, 429])
    expect(await statuses(b, 11)).toEqual([...Array(10).fill(401), 429])
  })
})
