import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { createIds } from '../../src/base/lib/ids'
import { createContext } from '../../src/create-context'
import { type Answer, LIFETIME, MONTHLY, type Stage, stage } from '../support/cast'
import { testApp } from '../support/context'
import { changeSettings, expectRefused, give, identify, rowOf } from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const lease = (query = '', device: string | undefined = 'svc_ada', options: object = {}): Promise<Answer> =>
  s.get(`/v1/me/access-lease${query}`, device, options)
const jwks = (): Promise<Answer> => s.call('GET', '/.well-known/jwks.json', { key: null })
const kids = async (): Promise<string[]> => (await jwks()).body.keys.map(({ kid }: { kid: string }) => kid)

async function verify(token: string) {
  const keys = createLocalJWKSet((await jwks()).body as JSONWebKeySet)
  return jwtVerify(token, keys, { currentDate: new Date(s.ctx.clock.now()), audience: s.project.id })
}

const NOW_S = Date.UTC(2026, 10, 20, 8) / 1000

describe('a lease', () => {
  test('says who holds what, signed by a listed key', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await identify(s, 'svc_ada', 'ada')
    await give(s, 'ada', 42, 'gift')
    const { status, body, headers } = await lease()
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body.data).toEqual({ lease: expect.any(String), expiresAt: '2026-11-21T08:00:00.000Z', kid: '2026-11-a' })
    const { payload, protectedHeader } = await verify(body.data.lease)
    const { id, seq } = await rowOf(s, 'svc_ada')
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'svc-lease+jwt', kid: '2026-11-a' })
    expect(payload).toEqual({
      iss: 'http://localhost',
      aud: s.project.id,
      sub: id,
      dk: 'svc_ada',
      uid: 'ada',
      iat: NOW_S,
      nbf: NOW_S,
      exp: NOW_S + 86400,
      seq,
      access: { pro: { exp: Date.UTC(2026, 11, 20, 8) / 1000, product: 'pro_monthly', store: 'IOS_STORE' } },
      balances: { gems: 42 },
    })
  })

  test('of access without end says null', async () => {
    await s.receipt('svc_ada', s.buy(LIFETIME))
    const { payload } = await verify((await lease()).body.data.lease)
    expect(payload.access).toMatchObject({ pro: { exp: null } })
  })

  test('makes an unknown device, which holds nothing', async () => {
    const { payload } = await verify((await lease('', 'svc_new')).body.data.lease)
    expect(payload).toMatchObject({ dk: 'svc_new', uid: null, seq: 0, access: {}, balances: {} })
    expect((await rowOf(s, 'svc_new')).id).toBe(String(payload.sub))
  })

  test('lasts as long as asked, but not longer than the project allows', async () => {
    const end = async (query: string) => (await lease(query)).body.data.expiresAt
    expect(await end('?ttl=60')).toBe('2026-11-20T08:01:00.000Z')
    expect(await end('?ttl=2592000')).toBe('2026-11-21T08:00:00.000Z')
    await changeSettings(s, { leaseTtlSeconds: 2592000 })
    expect([await end(''), await end('?ttl=2592000')]).toEqual(['2026-12-20T08:00:00.000Z', '2026-12-20T08:00:00.000Z'])
  })

  test('serves both halves of a key, and the browser mount', async () => {
    expect((await lease('', 'svc_ada', { key: s.project.secretKey })).status).toBe(200)
    const options = { headers: { origin: 'https://app.example.com' } }
    const { status } = await s.get(`/v1/web/${s.project.publicKey}/me/access-lease`, 'svc_ada', options)
    expect([status, await kids()]).toEqual([200, ['2026-11-a']])
  })

  test('names the public address where there is one', async () => {
    const own = await stage({ env: { PUBLIC_BASE_URL: 'https://api.example.com' } })
    const { body } = await own.get('/v1/me/access-lease', 'svc_ada')
    const claims = JSON.parse(Buffer.from(body.data.lease.split('.')[1], 'base64url').toString())
    expect(claims.iss).toBe('https://api.example.com')
    await own.close()
  })

  test('is refused without a key, without a device, and for a bad ttl', async () => {
    await expectRefused(s, () => lease('', 'svc_ada', { key: null }), 401, 'BEARER_REQUIRED')
    await expectRefused(s, () => s.get('/v1/me/access-lease'), 400, 'VALIDATION_ERROR')
    for (const ttl of ['59', '2592001', '60.5', 'x', ''])
      await expectRefused(s, () => lease(`?ttl=${ttl}`), 400, 'VALIDATION_ERROR')
  })
})

describe('the public keys', () => {
  test('are none before the first lease, and need no API key', async () => {
    const { status, body, headers } = await jwks()
    expect([status, body, headers.get('cache-control')]).toEqual([200, { keys: [] }, 'public, max-age=300'])
  })

  test('are in the form of RFC 8037, and hold nothing private', async () => {
    await lease()
    const { keys } = (await jwks()).body
    expect(keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        use: 'sig',
        alg: 'EdDSA',
        kid: '2026-11-a',
        x: expect.stringMatching(/^[\w-]{43}$/),
      },
    ])
  })

  test('change each month; the old one stays until its last lease has ended', async () => {
    await changeSettings(s, { leaseTtlSeconds: 2592000 })
    s.ctx.clock.set(Date.UTC(2026, 10, 30, 23))
    const old = (await lease()).body.data.lease
    s.ctx.clock.set(Date.UTC(2026, 11, 1))
    expect([(await lease()).body.data.kid, await kids()]).toEqual(['2026-12-a', ['2026-11-a', '2026-12-a']])
    s.ctx.clock.set(Date.UTC(2026, 11, 30, 22, 59))
    expect((await verify(old)).protectedHeader.kid).toBe('2026-11-a')
    s.ctx.clock.set(Date.UTC(2026, 11, 30, 23) + 2 * HOUR)
    expect(await kids()).toEqual(['2026-12-a'])
  })

  test('are saved only when a lease goes beyond what they cover', async () => {
    const saved = async () => (await s.ctx.db.select().from(s.ctx.tables.leaseKeys))[0]?.lastLeaseEndsAt
    await lease()
    const first = await saved()
    s.ctx.clock.advance(HOUR)
    await lease()
    expect(await saved()).toBe(first)
    s.ctx.clock.advance(1000)
    await lease()
    expect(await saved()).toBeGreaterThan(first ?? 0)
  })

  test('are sealed where there is a master key, and shared by processes', async () => {
    await lease()
    const [row] = await s.ctx.db.select().from(s.ctx.tables.leaseKeys)
    expect(row?.privateKey).toMatch(/^v1\./)
    const beside = await createContext(s.ctx.config, { clock: s.ctx.clock, ids: createIds(() => s.ctx.clock.now()) })
    const headers = { authorization: `Bearer ${s.project.publicKey}`, 'x-svc-app-user-id': 'svc_ada' }
    const answer = await testApp(beside).handle(new Request('http://localhost/v1/me/access-lease', { headers }))
    expect(((await answer.json()) as { data: { kid: string } }).data.kid).toBe('2026-11-a')
    await beside.close()
  })

  test('of another master key are retired for a new one of the month', async () => {
    const old = (await lease()).body.data.lease
    const config = { ...s.ctx.config, masterKey: Buffer.alloc(32, 9) }
    const beside = await createContext(config, { clock: s.ctx.clock, ids: createIds(() => s.ctx.clock.now()) })
    const headers = { authorization: `Bearer ${s.project.publicKey}`, 'x-svc-app-user-id': 'svc_ada' }
    const answer = await testApp(beside).handle(new Request('http://localhost/v1/me/access-lease', { headers }))
    expect(((await answer.json()) as { data: { kid: string } }).data.kid).toBe('2026-11-b')
    await beside.close()
    expect([await kids(), (await verify(old)).protectedHeader.kid]).toEqual([['2026-11-a', '2026-11-b'], '2026-11-a'])
    s.ctx.clock.advance(DAY + 2 * HOUR)
    expect(await kids()).toEqual(['2026-11-b'])
  })

  test('lie open without a master key', async () => {
    const own = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    expect((await own.get('/v1/me/access-lease', 'svc_ada')).status).toBe(200)
    const [row] = await own.ctx.db.select().from(own.ctx.tables.leaseKeys)
    expect(row?.privateKey).toStartWith('-----BEGIN PRIVATE KEY')
    await own.close()
  })
})

test('many first leases at once share one key', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => lease('', `svc_${n}`)))
  expect(await kids()).toEqual(['2026-11-a'])
})
