import { expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { type ApiCredentials, ApiTokens } from './api-token'

const NOW = Date.UTC(2026, 10, 20, 8)

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const credentials: ApiCredentials = {
  bundleId: 'com.example.app',
  keyId: 'ABC123DEFG',
  issuerId: '57246542-96fe-1a63-e053-0824d011072a',
  privateKey: pem,
}

/** Tokens made with a clock that the test sets. */
function tokens(changes: Partial<ApiCredentials> = {}) {
  const clock = { at: NOW, now: () => clock.at }
  const source = new ApiTokens({ ...credentials, ...changes }, clock)
  const textAt = async (at: number): Promise<string> => {
    clock.at = at
    return (await source.get()) ?? 'none'
  }
  return { textAt, source }
}

test('the token says who asks, for which app, and for whom it is meant', async () => {
  const text = await tokens().textAt(NOW)
  expect(decodeProtectedHeader(text)).toEqual({ alg: 'ES256', kid: 'ABC123DEFG', typ: 'JWT' })
  expect(decodeJwt(text)).toEqual({
    iss: '57246542-96fe-1a63-e053-0824d011072a',
    iat: NOW / SECOND,
    exp: (NOW + 30 * MINUTE) / SECOND,
    aud: 'appstoreconnect-v1',
    bid: 'com.example.app',
  })
})

test('the signature stands, and the token lives for no more than an hour', async () => {
  const text = await tokens().textAt(NOW)
  const { payload } = await jwtVerify(text, pair.publicKey, {
    currentDate: new Date(NOW),
    audience: 'appstoreconnect-v1',
  })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(3600)
})

test('a token is used until five minutes before its end', async () => {
  const { textAt } = tokens()
  const first = await textAt(NOW)
  expect(await textAt(NOW + 25 * MINUTE - 1)).toBe(first)
  expect(await textAt(NOW + 25 * MINUTE)).not.toBe(first)
})

test('a clock set back makes a new token', async () => {
  const { textAt } = tokens()
  const later = await textAt(NOW)
  const text = await textAt(NOW - 1)
  expect(text).not.toBe(later)
  expect(decodeJwt(text).iat).toBe(Math.floor((NOW - 1) / SECOND))
})

test('two callers at once get one token', async () => {
  const { source } = tokens()
  const [first, second] = await Promise.all([source.get(), source.get()])
  expect(first).toBe(second)
})

test('a key with other line ends and blanks around it is read', async () => {
  for (const privateKey of [`\n  ${pem}\n`, pem.replaceAll('\n', '\r\n'), pem.trim()])
    expect(await tokens({ privateKey }).source.get()).not.toBeNull()
})

const keyOf = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const unreadable: [name: string, privateKey: string][] = [
  ['nothing', ''],
  ['text', 'secret'],
  ['a key cut short', pem.slice(0, 100)],
  ['a damaged key', pem.replace(/[A-Z]{4}/, '!!!!')],
  ['a key of another curve', keyOf('P-384')],
  [
    'an RSA key',
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ],
  ['the public key', pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
]
for (const [name, privateKey] of unreadable)
  test(`${name} in place of the key: no token, and nothing thrown`, async () => {
    const { source } = tokens({ privateKey })
    expect(await source.get()).toBeNull()
    expect(await source.get()).toBeNull()
  })
