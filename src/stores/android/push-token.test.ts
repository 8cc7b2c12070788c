import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import { publishedKey } from '../../test-store/stores/android-push'
import { AndroidServer } from '../../test-store/stores/android-server'
import { GoogleKeys } from './google-keys'
import { checkPushToken } from './push-token'

const NOW = Date.UTC(2026, 0, 1, 8)
const clock = { time: NOW, now: () => clock.time }
const AUDIENCE = 'https://svc.example.com/webhooks/android/prj_1'
const EMAIL = 'push@project.iam.gserviceaccount.com'
const identity = { audience: AUDIENCE, email: EMAIL }

let server: AndroidServer
let keys: GoogleKeys
beforeAll(async () => {
  server = await AndroidServer.start({ clock, packageName: 'com.example.app' })
  keys = new GoogleKeys({ url: server.keysUrl, clock })
})
afterEach(() => {
  server.faults = {}
})
afterAll(() => server.close())

const check = (authorization: string | null, members: object = {}) =>
  checkPushToken(authorization, { keys, audience: AUDIENCE, serviceAccount: EMAIL, now: clock.now(), ...members })
const bearer = async (members: object = {}, now?: number) =>
  `Bearer ${await server.pushToken({ ...identity, ...members }, now)}`
const refusal = (reason: string) => ({ ok: false, reason }) as never
const keyRequests = () => server.requests.filter(({ path }) => path === '/certs').length

test('a token of Google for this endpoint is believed', async () =>
  expect(await check(await bearer())).toEqual({ ok: true, email: EMAIL, issuedAt: NOW }))

test('by either name of the issuer, and with the scheme in any case', async () => {
  expect(await check(await bearer({ issuer: 'accounts.google.com' }))).toMatchObject({ ok: true })
  expect(await check((await bearer()).replace('Bearer', 'bearer'))).toMatchObject({ ok: true })
})

describe('refused', () => {
  const cases: [name: string, token: () => Promise<string | null>, reason: string][] = [
    ['no header', async () => null, 'missing'],
    ['an empty header', async () => '', 'missing'],
    ['another scheme', async () => (await bearer()).replace('Bearer', 'Basic'), 'malformed'],
    ['no token', async () => 'Bearer', 'malformed'],
    ['a word', async () => 'Bearer abc', 'malformed'],
    ['a header that is no JSON', async () => 'Bearer AAAA.AAAA.AAAA', 'malformed'],
    ['a token without end', async () => `Bearer ${'a'.repeat(9000)}.b.c`, 'too_large'],
    ['two tokens', async () => `${await bearer()}, ${await bearer()}`, 'malformed'],
    ['another issuer', () => bearer({ issuer: 'https://accounts.example.com' }), 'issuer'],
    ['another audience', () => bearer({ audience: `${AUDIENCE}0` }), 'audience'],
    ['the audience with a slash more', () => bearer({ audience: `${AUDIENCE}/` }), 'audience'],
    ['another service account', () => bearer({ email: 'other@project.iam.gserviceaccount.com' }), 'account'],
    ['the account in capitals', () => bearer({ email: EMAIL.toUpperCase() }), 'account'],
    ['an address nobody verified', () => bearer({ isVerified: false }), 'account'],
    ['one that ended an hour ago', () => bearer({}, NOW - 2 * HOUR), 'expired'],
    ['one that ended a minute ago', () => bearer({ livesMs: SECOND }, NOW - MINUTE - SECOND), 'expired'],
    ['one of tomorrow', () => bearer({}, NOW + 24 * HOUR), 'not_yet_valid'],
  ]
  for (const [name, token, reason] of cases)
    test(name, async () => expect(await check(await token())).toEqual(refusal(reason)))

  test('changed claims', async () => {
    const [head, , tail] = (await bearer()).split('.')
    const claims = Buffer.from(JSON.stringify({ aud: AUDIENCE, email: EMAIL })).toString('base64url')
    expect(await check(`${head}.${claims}.${tail}`)).toEqual(refusal('signature'))
  })
  test('an unsigned token', async () => {
    const unsigned = new UnsecuredJWT({ email: EMAIL }).setAudience(AUDIENCE).encode()
    expect(await check(`Bearer ${unsigned}x`)).toEqual(refusal('algorithm'))
  })
  test('a token whose secret is the public key', async () => {
    const header = { alg: 'HS256', kid: 'push-1' }
    const token = await new SignJWT({ email: EMAIL }).setProtectedHeader(header).sign(new Uint8Array(32))
    expect(await check(`Bearer ${token}`)).toEqual(refusal('algorithm'))
  })
  test('a critical header member', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const header = { alg: 'RS256', kid: 'push-1', crit: ['b64'], b64: true }
    const token = await new SignJWT({}).setProtectedHeader(header).sign(privateKey)
    expect(await check(`Bearer ${token}`)).toEqual(refusal('algorithm'))
  })

  const signedBy = async (header: object, claims: object) => {
    const { privateKey } = await generateKeyPair('RS256')
    return `Bearer ${await new SignJWT({ email: EMAIL, ...claims }).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey)}`
  }
  test('no key id', async () => expect(await check(await signedBy({}, {}))).toEqual(refusal('malformed')))
  test('another key by the same id', async () =>
    expect(await check(await signedBy({ kid: 'push-1' }, { aud: AUDIENCE }))).toEqual(refusal('signature')))
  test('an unknown key', async () =>
    expect(await check(await signedBy({ kid: 'constructor' }, {}))).toEqual(refusal('unknown_key')))
})

describe('claims that are missing or odd', () => {
  const now = NOW / SECOND
  const claims = {
    iss: 'https://accounts.google.com',
    aud: AUDIENCE,
    email: EMAIL,
    email_verified: true,
    iat: now,
    exp: now + 60,
  }
  const cases: [name: string, members: Record<string, unknown>, reason: string][] = [
    ['no end', { exp: undefined }, 'malformed'],
    ['no beginning', { iat: undefined }, 'malformed'],
    ['an end in words', { exp: 'never' }, 'malformed'],
    ['a beginning in words', { iat: 'now' }, 'malformed'],
    ['no issuer', { iss: undefined }, 'issuer'],
    ['no audience', { aud: undefined }, 'audience'],
    ['no account', { email: undefined }, 'account'],
    ['an account that is a list', { email: [EMAIL] }, 'account'],
    ['an address verified in words', { email_verified: 'true' }, 'account'],
    ['not valid before tomorrow', { nbf: now + 86_400 }, 'not_yet_valid'],
  ]
  let own: ReturnType<typeof Bun.serve>
  let sign: (claims: object) => Promise<string>
  beforeAll(async () => {
    const key = { id: 'own', ...(await generateKeyPair('RS256', { extractable: true })) }
    const jwk = await publishedKey(key)
    own = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json({ keys: [jwk] }) })
    sign = (members) =>
      new SignJWT({ ...members }).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key.privateKey)
  })
  afterAll(() => own.stop(true))
  const verify = async (members: object) =>
    check(`Bearer ${await sign({ ...claims, ...members })}`, {
      keys: new GoogleKeys({ url: own.url.href, clock }),
      now: NOW,
    })

  test('none of them: believed', async () => expect(await verify({})).toMatchObject({ ok: true }))
  for (const [name, members, reason] of cases)
    test(name, async () => expect(await verify(members)).toEqual(refusal(reason)))
})

test('whatever stands in the header, nothing is thrown', async () => {
  const part = fc.oneof(
    fc.base64String(),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
  )
  const anyHeader = fc.oneof(
    fc.string(),
    fc.tuple(part, part, part).map((parts) => `Bearer ${parts.join('.')}`),
  )
  await fc.assert(
    fc.asyncProperty(anyHeader, async (header) => expect((await check(header)).ok).toBe(false)),
    { numRuns: 300 },
  )
})

test('a token for several audiences is for none', async () => {
  const token = await server.pushToken({ ...identity, audience: [AUDIENCE, 'https://other.example.com'] as never })
  expect(await check(`Bearer ${token}`)).toEqual(refusal('audience'))
})

test('clocks may differ by less than a minute', async () => {
  expect(await check(await bearer({}, NOW + 50 * SECOND))).toMatchObject({ ok: true })
  expect(await check(await bearer({ livesMs: SECOND }, NOW - 50 * SECOND))).toMatchObject({ ok: true })
})

describe('keys', () => {
  test('are fetched once for many tokens', async () => {
    const before = keyRequests()
    const fresh = new GoogleKeys({ url: server.keysUrl, clock })
    const tokens = await Promise.all(Array.from({ length: 10 }, () => bearer()))
    const results = await Promise.all(tokens.map((token) => check(token, { keys: fresh })))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(keyRequests() - before).toBe(1)
  })
  test('an unknown one asks again, but once a minute', async () => {
    const fresh = new GoogleKeys({ url: server.keysUrl, clock })
    await check(await bearer(), { keys: fresh })
    await server.rotateKeys('push-2')
    const before = keyRequests()
    expect(await check(await bearer(), { keys: fresh })).toEqual(refusal('unknown_key'))
    expect(keyRequests() - before).toBe(0)
    clock.time += MINUTE
    expect(await check(await bearer(), { keys: fresh })).toMatchObject({ ok: true })
    expect(keyRequests() - before).toBe(1)
  })
  test('that cannot be had say nothing of the token', async () => {
    for (const faults of [{ keysStatus: 500 }, { isMalformed: true }, { keysStatus: 404 }]) {
      server.faults = faults
      const fresh = new GoogleKeys({ url: server.keysUrl, clock })
      expect(await check(await bearer(), { keys: fresh })).toEqual(refusal('keys_unavailable'))
    }
    const away = new GoogleKeys({ url: 'http://127.0.0.1:1/certs', clock })
    expect(await check(await bearer(), { keys: away })).toEqual(refusal('keys_unavailable'))
  })
  test('held are believed for a day while no others can be had', async () => {
    const fresh = new GoogleKeys({ url: server.keysUrl, clock })
    await check(await bearer(), { keys: fresh })
    server.faults = { keysStatus: 503 }
    clock.time += 23 * HOUR
    expect(await check(await bearer(), { keys: fresh })).toMatchObject({ ok: true })
    clock.time += 2 * HOUR
    expect(await check(await bearer(), { keys: fresh })).toEqual(refusal('keys_unavailable'))
    server.faults = {}
    clock.time += MINUTE
    expect(await check(await bearer(), { keys: fresh })).toMatchObject({ ok: true })
  })
  test('of a set that is odd in parts, the sound ones count', async () => {
    const odd = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async () => {
        const { keys: good } = (await (await fetch(server.keysUrl)).json()) as { keys: object[] }
        return Response.json({
          keys: [null, 5, { kty: 'EC', kid: 'e' }, { kty: 'RSA', kid: 'r' }, { kty: 'RSA' }, ...good],
        })
      },
    })
    const fresh = new GoogleKeys({ url: odd.url.href, clock })
    expect(await check(await bearer(), { keys: fresh })).toMatchObject({ ok: true })
    await odd.stop(true)
  })
})
