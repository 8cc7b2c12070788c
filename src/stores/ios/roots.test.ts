import { expect, test } from 'bun:test'
import { forgeChains } from '../../../test/support/ios-forge'
import { parseRoots, readBase64, toRoot } from '../../base/lib/certificates'
import { APPLE_ROOT_FINGERPRINT, pinnedRoot, rootsFor, trustedRoots } from './roots'

const { good, otherRoot } = await forgeChains(Date.UTC(2026, 10, 20))
const [leaf = '', intermediate = '', root = ''] = good.x5c
const other = otherRoot.x5c[2] ?? ''
const pem = (base64: string): string => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`

test('the pinned root is Apple Root CA - G3 and signs itself', () => {
  const [apple] = trustedRoots().production
  expect(apple?.fingerprint).toBe(APPLE_ROOT_FINGERPRINT)
  expect(apple?.certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(APPLE_ROOT_FINGERPRINT)
  expect(apple?.certificate.subject).toStartWith('CN=Apple Root CA - G3\n')
  expect(apple?.certificate.verify(apple.certificate.publicKey)).toBe(true)
  expect(apple?.certificate.validTo).toBe('Apr 30 18:19:06 2039 GMT')
})

test('an embedded root that differs from its pin does not load', () => {
  expect(() => pinnedRoot(root, APPLE_ROOT_FINGERPRINT)).toThrow(APPLE_ROOT_FINGERPRINT)
  expect(() => pinnedRoot('', APPLE_ROOT_FINGERPRINT)).toThrow(APPLE_ROOT_FINGERPRINT)
})

test('extra roots serve every environment but Production', () => {
  const extra = toRoot(Buffer.from(root, 'base64'))
  const trusted = trustedRoots(extra ? [extra] : [])
  expect(rootsFor(trusted, 'Production').map((each) => each.fingerprint)).toEqual([APPLE_ROOT_FINGERPRINT])
  for (const environment of ['Sandbox', 'Xcode', 'LocalTesting'] as const)
    expect(rootsFor(trusted, environment).map((each) => each.fingerprint)).toEqual([
      APPLE_ROOT_FINGERPRINT,
      extra?.fingerprint ?? '',
    ])
})

test('a PEM text gives all its roots, whatever stands between the blocks', () => {
  const wrapped = root.replace(/.{64}/g, '$&\r\n')
  const parsed = parseRoots(`# our roots\n${pem(wrapped)}\nsecond:\n${pem(other)}`)
  expect(parsed.ok && parsed.roots.map((each) => each.certificate.raw.toString('base64'))).toEqual([root, other])
})

const bad: [name: string, pem: string, problems: string[]][] = [
  ['an empty text', '', ['no certificate found']],
  ['another kind of block', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', ['no certificate found']],
  ['a leaf', pem(leaf), ['block 1 is not a CA certificate and does not sign itself']],
  [
    'a block cut short',
    pem(root) + pem(other.slice(0, 80)),
    ['block 2 is not a CA certificate and does not sign itself'],
  ],
  [
    'a block without its end',
    `${pem(root)}-----BEGIN CERTIFICATE-----\n${other}\n`,
    ['block 2 is not a CA certificate and does not sign itself'],
  ],
  ['text that is not base64', pem('*'), ['block 1 is not a CA certificate and does not sign itself']],
  [
    'every bad block of four',
    pem('') + pem(root) + pem(leaf) + pem(intermediate),
    [
      'block 1 is not a CA certificate and does not sign itself',
      'block 3 is not a CA certificate and does not sign itself',
    ],
  ],
]
for (const [name, text, problems] of bad)
  test(`the problems of ${name} are named by block`, () => {
    expect(parseRoots(text)).toEqual({ ok: false, problems })
  })

test('base64 is read only in its one standard spelling', () => {
  expect(readBase64('AAECAw==')).toEqual(Buffer.from([0, 1, 2, 3]))
  for (const text of ['', 'AAECAw', 'AAECAx==', 'AAEC Aw==', '-_-_', 'AAECAw==\n']) expect(readBase64(text)).toBeNull()
})
