import { describe, expect, test } from 'bun:test'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { forgeChains, signToken, signWith, toSegment } from '../../../test/support/ios-forge'
import { toRoot } from '../../base/lib/certificates'
import { DAY } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../base/lib/time'
import { ChainVerifier, KnownHeaders } from './chain'
import { MAX_TOKEN_CHARS, type SignedRefusal, type VerifyOptions, verifyInThread, verifySigned } from './jws'
import { trustedRoots } from './roots'
import { SignedTokens } from './signed-tokens'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120

const { good, leafExpired, leafP384, otherRoot } = await forgeChains(NOW)
const root = toRoot(Buffer.from(good.x5c[2] ?? '', 'base64'))
if (!root) throw new Error('the forged root is no root')
const chains = new ChainVerifier(trustedRoots([root]))
const payload = { environment: 'Sandbox', signedDate: NOW, transactionId: '1' }
const signed = signWith(good, payload)
const [head = '', body = '', tail = ''] = signed.split('.')
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const deeplyNested = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`

function outcome(token: string, options?: VerifyOptions): SignedRefusal | 'good' {
  const result = verifySigned(token, chains, options)
  return result.ok ? 'good' : result.reason
}

test('a good token gives its payload, environment and signing time', () => {
  expect(verifySigned(signed, chains)).toEqual({ ok: true, payload, environment: 'Sandbox', signedAt: NOW })
})

const refused: [name: string, token: string, reason: SignedRefusal][] = [
  ['nothing', '', 'malformed'],
  ['two parts', `${head}.${body}`, 'malformed'],
  ['four parts', `${signed}.${tail}`, 'malformed'],
  ['a standard base64 character', `${head}.${body}.${tail.slice(0, -1)}/`, 'malformed'],
  ['a header that is no object', `${toSegment('ES256')}.${body}.${tail}`, 'malformed'],
  ['a payload that is no object', signWith(good, [payload]), 'malformed'],
  ['a payload nested 20,000 deep', `${head}.${toSegmentOfText(deeplyNested)}.${tail}`, 'environment'],
  ['more than 64 KiB', `${head}.${'A'.repeat(MAX_TOKEN_CHARS)}.${tail}`, 'too_large'],
  ['alg none', `${toSegment({ alg: 'none', x5c: good.x5c })}.${body}.`, 'algorithm'],
  ['alg HS256', signToken({ alg: 'HS256', x5c: good.x5c }, payload, good.leafKey), 'algorithm'],
  ['alg RS256', signToken({ alg: 'RS256', x5c: good.x5c }, payload, good.leafKey), 'algorithm'],
  ['alg ES384', signToken({ alg: 'ES384', x5c: leafP384.x5c }, payload, leafP384.leafKey, 'sha384'), 'algorithm'],
  ['alg ES256 by a P-384 leaf', signWith(leafP384, payload), 'certificate'],
  ['a critical header', signToken({ alg: 'ES256', x5c: good.x5c, crit: [] }, payload, good.leafKey), 'algorithm'],
  ['no x5c', signToken({ alg: 'ES256' }, payload, good.leafKey), 'malformed'],
  ['x5c with a number', signToken({ alg: 'ES256', x5c: [1, 2, 3] }, payload, good.leafKey), 'malformed'],
  ['x5c of one certificate', signWith({ ...good, x5c: good.x5c.slice(0, 1) }, payload), 'chain_length'],
  ['another root', signWith(otherRoot, payload), 'untrusted_root'],
  [
    'Production signed under an extra root',
    signWith(good, { ...payload, environment: 'Production' }),
    'untrusted_root',
  ],
  ['an unknown environment', signWith(good, { ...payload, environment: 'Staging' }), 'environment'],
  ['no environment', signWith(good, { signedDate: NOW }), 'environment'],
  ['Xcode, though well signed', signWith(good, { ...payload, environment: 'Xcode' }), 'environment'],
  ['LocalTesting, though well signed', signWith(good, { ...payload, environment: 'LocalTesting' }), 'environment'],
  ['another payload', `${head}.${toSegment({ ...payload, transactionId: '2' })}.${tail}`, 'signature'],
  ['another key', signToken({ alg: 'ES256', x5c: good.x5c }, payload, otherKey), 'signature'],
  ['no signature', `${head}.${body}.`, 'signature'],
  ['a signature in DER', `${head}.${body}.${Buffer.alloc(71, 48).toString('base64url')}`, 'signature'],
]
for (const [name, token, reason] of refused)
  test(`refused: ${name} (${reason})`, () => {
    expect(outcome(token)).toBe(reason)
  })

const dates: [name: string, signedDate: unknown][] = [
  ['absent', undefined],
  ['null', null],
  ['text', String(NOW)],
  ['ISO text', '2026-11-20T08:00:00.000Z'],
  ['negative', -1],
  ['a fraction', NOW + 0.5],
  ['past the year 9999', MAX_INSTANT + 1],
]
for (const [name, signedDate] of dates)
  test(`a signing date that is ${name} is malformed`, () => {
    expect(outcome(signWith(good, { ...payload, signedDate }))).toBe('malformed')
  })

test('a signing date beyond all numbers is malformed', () => {
  const claims = toSegmentOfText('{"environment":"Sandbox","signedDate":1e999}')
  expect(outcome(`${head}.${claims}.${tail}`)).toBe('malformed')
})

test('local environments stand the same checks as any other once they are allowed', () => {
  for (const environment of ['Xcode', 'LocalTesting']) {
    const local = { ...payload, environment }
    expect(outcome(signWith(good, local), { allowLocal: true })).toBe('good')
    expect(outcome(`${toSegment({ alg: 'none' })}.${toSegment(local)}.`, { allowLocal: true })).toBe('algorithm')
    expect(outcome(`${head}.${toSegment(local)}.${tail}`, { allowLocal: true })).toBe('signature')
    expect(outcome(signWith(otherRoot, local), { allowLocal: true })).toBe('untrusted_root')
  }
})

test('the environment is read where the caller says', () => {
  const nested = { signedDate: NOW, environment: 'Sandbox', data: { environment: 'Production' } }
  const environmentOf: VerifyOptions['environmentOf'] = ({ data }) =>
    typeof data === 'object' && data !== null && 'environment' in data ? data.environment : undefined
  expect(outcome(signWith(good, nested))).toBe('good')
  expect(outcome(signWith(good, nested), { environmentOf })).toBe('untrusted_root')
})

test('any text is refused and throws nothing', () => {
  const segment = fc.oneof(fc.string(), fc.base64String(), fc.json().map(toSegmentOfText), fc.constantFrom(head, body))
  const text = fc.oneof(
    fc.string(),
    fc.array(segment, { maxLength: 4 }).map((parts) => parts.join('.')),
  )
  const property = fc.property(text, (token) => {
    expect(outcome(token)).not.toBe('good')
  })
  fc.assert(property, { seed: SEED, numRuns: 2000 })
})

test('any header and payload under a foreign signature is refused and throws nothing', () => {
  const property = fc.property(fc.jsonValue(), fc.jsonValue(), fc.uint8Array(), (alg, claims, bytes) => {
    const header = toSegment({ alg: alg ?? 'ES256', x5c: good.x5c })
    const token = `${header}.${toSegment(claims)}.${Buffer.from(bytes).toString('base64url')}`
    expect(outcome(token)).not.toBe('good')
  })
  fc.assert(property, { seed: SEED, numRuns: 1000 })
})

test('in another thread, a good token stands and every refused one is refused for the same reason', async () => {
  const fresh = new ChainVerifier(trustedRoots([root]))
  for (const [name, token, reason] of refused)
    expect([name, await verifyInThread(token, fresh)]).toEqual([name, { ok: false, reason }])
  const result = { ok: true as const, payload, environment: 'Sandbox' as const, signedAt: NOW }
  expect(await verifyInThread(signed, fresh)).toEqual(result)
  expect(await verifyInThread(signed, fresh)).toEqual(result)
  expect(fresh.signed.has(signed)).toBe(true)
  expect(refused.some(([, token]) => fresh.signed.has(token))).toBe(false)
})

describe('a token whose signature stood', () => {
  /** The chain as the verifier keeps it, with a key that signed nothing. */
  function forgetKey(verifier: ChainVerifier): void {
    const result = verifier.verify(good.x5c, 'Sandbox', NOW)
    if (result.ok) Object.assign(result.chain, { publicKey: createPublicKey(otherKey) })
  }

  test('is not verified again, unlike any other token of its chain', () => {
    const verifier = new ChainVerifier(trustedRoots([root]))
    expect(verifySigned(signed, verifier).ok).toBe(true)
    forgetKey(verifier)
    expect(verifySigned(signed, verifier)).toMatchObject({ ok: true, payload })
    const other = signWith(good, { ...payload, transactionId: '2' })
    expect(verifySigned(other, verifier)).toEqual({ ok: false, reason: 'signature' })
  })

  test('is verified by another verifier, which a change of the roots makes', () => {
    expect(verifySigned(signed, chains).ok).toBe(true)
    expect(verifySigned(signed, new ChainVerifier(trustedRoots()))).toEqual({ ok: false, reason: 'untrusted_root' })
    const verifier = new ChainVerifier(trustedRoots([root]))
    forgetKey(verifier)
    expect(verifySigned(signed, verifier)).toEqual({ ok: false, reason: 'signature' })
  })

  test('is refused again where its chain may not sign: dates, environment and local tokens count each time', () => {
    const early = signWith(leafExpired, { ...payload, signedDate: NOW - 2 * 365 * DAY })
    expect(outcome(early)).toBe('good')
    const local = signWith(good, { ...payload, environment: 'Xcode' })
    expect(outcome(local, { allowLocal: true })).toBe('good')
    expect(outcome(local)).toBe('environment')
    const asProduction: VerifyOptions = { environmentOf: () => 'Production' }
    expect(outcome(signed)).toBe('good')
    expect(outcome(signed, asProduction)).toBe('untrusted_root')
  })

  test('lends nothing to a token with any character changed', () => {
    const property = fc.property(fc.nat(), fc.constantFrom(...'ABCDwxyz0189-_.'), (at, character) => {
      const characters = [...signed]
      characters[at % characters.length] = character
      const token = characters.join('')
      outcome(signed)
      const isSame = Buffer.from(token.split('.')[2] ?? '', 'base64url').equals(Buffer.from(tail, 'base64url'))
      if (token !== signed && !(isSame && token.startsWith(`${head}.${body}.`))) expect(outcome(token)).not.toBe('good')
    })
    fc.assert(property, { seed: SEED, numRuns: 1000 })
  })
})

test('the memory of tokens is bounded: each new one is in it, and the oldest of its row is not', () => {
  const tokens = new SignedTokens(2)
  const texts = Array.from({ length: 100 }, (_, index) => `token ${index}`)
  for (const text of texts) {
    expect(tokens.has(text)).toBe(false)
    tokens.add(text)
    expect(tokens.has(text)).toBe(true)
  }
  expect(texts.filter((text) => tokens.has(text))).toHaveLength(8)
})

test('only the header of a verified chain is remembered, and it makes no other token good', () => {
  const verifier = new ChainVerifier(trustedRoots([root]))
  const [stranger = ''] = signWith(otherRoot, payload).split('.')
  expect(verifySigned(`${stranger}.${body}.${tail}`, verifier).ok).toBe(false)
  expect(verifier.headers.get(stranger)).toBeNull()
  expect(verifySigned(signed, verifier).ok).toBe(true)
  expect(verifier.headers.get(head)).toMatchObject({ alg: 'ES256', x5c: good.x5c })
  expect(verifySigned(`${head}.${toSegment({ ...payload, transactionId: '2' })}.${tail}`, verifier)).toEqual({
    ok: false,
    reason: 'signature',
  })
})

test('the memory of headers is bounded: the first one is forgotten', () => {
  const headers = new KnownHeaders(2)
  for (const text of ['a', 'b', 'b', 'c']) headers.add(text, { text })
  expect(['a', 'b', 'c'].map((text) => headers.get(text))).toEqual([null, { text: 'b' }, { text: 'c' }])
})

test('a few thousand tokens are all remembered', () => {
  const tokens = new SignedTokens()
  const texts = Array.from({ length: 3000 }, (_, index) => `token ${index}`)
  for (const text of texts) tokens.add(text)
  expect(texts.filter((text) => tokens.has(text)).length).toBeGreaterThan(2990)
})

function toSegmentOfText(text: string): string {
  return Buffer.from(text).toString('base64url')
}
