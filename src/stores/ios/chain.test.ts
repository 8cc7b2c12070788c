import { expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { type ForgedChains, forgeChains, forgeChainsOfOddRoots } from '../../../test/support/ios-forge'
import { toRoot } from '../../base/lib/certificates'
import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { type ChainRefusal, ChainVerifier } from './chain'
import { type AppleEnvironment, trustedRoots } from './roots'

const NOW = Date.UTC(2026, 10, 20, 8)
const YEAR = 365 * DAY
const SEED = 20261120

const chains = await forgeChains(NOW)
const [leaf = '', intermediate = '', rootText = ''] = chains.good.x5c
const root = toRoot(Buffer.from(rootText, 'base64'))
if (!root) throw new Error('the forged root is no root')
const roots = trustedRoots([root])

// Apple's intermediate certificate in the header of each signed transaction of that time.
const APPLE_WWDR_G6 = [
  'MIIDFjCCApygAwIBAgIUIsGhRwp0c2nvU4YSycafPTjzbNcwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYD',
  'VQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMjEwMzE3MjAzNzEw',
  'WhcNMzYwMzE5MDAwMDAwWjB1MUQwQgYDVQQDDDtBcHBsZSBXb3JsZHdpZGUgRGV2ZWxvcGVyIFJlbGF0aW9ucyBDZXJ0aWZpY2F0aW9uIEF1dGhv',
  'cml0eTELMAkGA1UECwwCRzYxEzARBgNVBAoMCkFwcGxlIEluYy4xCzAJBgNVBAYTAlVTMHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEbsQKC94PrlWm',
  'ZXnXgtxzdVJL8T0SGYngDRGpngn3N6PT8JMEb7FDi4bBmPhCnZ3/sq6PF/cGcKXWsL5vOteRhyJ45x3ASP7cOB+aao90fcpxSv/EZFbniAbNgZGh',
  'IhpIo4H6MIH3MBIGA1UdEwEB/wQIMAYBAf8CAQAwHwYDVR0jBBgwFoAUu7DeoVgziJqkipnevr3rr9rLJKswRgYIKwYBBQUHAQEEOjA4MDYGCCsG',
  'AQUFBzABhipodHRwOi8vb2NzcC5hcHBsZS5jb20vb2NzcDAzLWFwcGxlcm9vdGNhZzMwNwYDVR0fBDAwLjAsoCqgKIYmaHR0cDovL2NybC5hcHBs',
  'ZS5jb20vYXBwbGVyb290Y2FnMy5jcmwwHQYDVR0OBBYEFD8vlCNR01DJmig97bB85c+lkGKZMA4GA1UdDwEB/wQEAwIBBjAQBgoqhkiG92NkBgIB',
  'BAIFADAKBggqhkjOPQQDAwNoADBlAjBAXhSq5IyKogMCPtw490BaB677CaEGJXufQB/EqZGd6CSjiCtOnuMTbXVXmxxcxfkCMQDTSPxarZXvNrkx',
  'U3TkUMI33yzvFVVRT4wxWJC994OsdcZ4+RGNsYDyR5gmdr0nDGg=',
].join('')
const APPLE_SIGNING = [
  'MIIEMTCCA7agAwIBAgIQR8KHzdn554Z/UoradNx9tzAKBggqhkjOPQQDAzB1MUQwQgYDVQQDDDtBcHBsZSBXb3JsZHdpZGUgRGV2ZWxvcGVyIFJl',
  'bGF0aW9ucyBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTELMAkGA1UECwwCRzYxEzARBgNVBAoMCkFwcGxlIEluYy4xCzAJBgNVBAYTAlVTMB4XDTI1',
  'MDkxOTE5NDQ1MVoXDTI3MTAxMzE3NDcyM1owgZIxQDA+BgNVBAMMN1Byb2QgRUNDIE1hYyBBcHAgU3RvcmUgYW5kIGlUdW5lcyBTdG9yZSBSZWNl',
  'aXB0IFNpZ25pbmcxLDAqBgNVBAsMI0FwcGxlIFdvcmxkd2lkZSBEZXZlbG9wZXIgUmVsYXRpb25zMRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYD',
  'VQQGEwJVUzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNnVvhcv7iT+7Ex5tBMBgrQspHzIsXRi0Yxfek7lv8wEmj/bHiWtNwJqc2BoHzsQiEjP',
  '7KFIIKg4Y8y0/nynuAmjggIIMIICBDAMBgNVHRMBAf8EAjAAMB8GA1UdIwQYMBaAFD8vlCNR01DJmig97bB85c+lkGKZMHAGCCsGAQUFBwEBBGQw',
  'YjAtBggrBgEFBQcwAoYhaHR0cDovL2NlcnRzLmFwcGxlLmNvbS93d2RyZzYuZGVyMDEGCCsGAQUFBzABhiVodHRwOi8vb2NzcC5hcHBsZS5jb20v',
  'b2NzcDAzLXd3ZHJnNjAyMIIBHgYDVR0gBIIBFTCCAREwggENBgoqhkiG92NkBQYBMIH+MIHDBggrBgEFBQcCAjCBtgyBs1JlbGlhbmNlIG9uIHRo',
  'aXMgY2VydGlmaWNhdGUgYnkgYW55IHBhcnR5IGFzc3VtZXMgYWNjZXB0YW5jZSBvZiB0aGUgdGhlbiBhcHBsaWNhYmxlIHN0YW5kYXJkIHRlcm1z',
  'IGFuZCBjb25kaXRpb25zIG9mIHVzZSwgY2VydGlmaWNhdGUgcG9saWN5IGFuZCBjZXJ0aWZpY2F0aW9uIHByYWN0aWNlIHN0YXRlbWVudHMuMDYG',
  'CCsGAQUFBwIBFipodHRwOi8vd3d3LmFwcGxlLmNvbS9jZXJ0aWZpY2F0ZWF1dGhvcml0eS8wHQYDVR0OBBYEFIFioG4wMMVA1ku9zJmGNPAVn3eq',
  'MA4GA1UdDwEB/wQEAwIHgDAQBgoqhkiG92NkBgsBBAIFADAKBggqhkjOPQQDAwNpADBmAjEA+qXnREC7hXIWVLsLxznjRpIzPf7VHz9V/CTm8+LJ',
  'lrQepnmcPvGLNcX6XPnlcgLAAjEA5IjNZKgg5pQ79knF4IbTXdKv8vutIDMXDmjPVT3dGvFtsGRwXOywR2kZCdSrfeot',
].join('')

const verdict = (x5c: readonly string[], at = NOW, environment: AppleEnvironment = 'Sandbox'): ChainRefusal | 'good' =>
  verdictOf(new ChainVerifier(roots), x5c, at, environment)

function verdictOf(verifier: ChainVerifier, x5c: readonly string[], at: number, environment: AppleEnvironment) {
  const result = verifier.verify(x5c, environment, at)
  return result.ok ? 'good' : result.reason
}

const expected: Record<keyof ForgedChains, ChainRefusal | 'good'> = {
  good: 'good',
  otherRoot: 'untrusted_root',
  leafWithoutMarker: 'marker_oid',
  leafWithOtherMarker: 'marker_oid',
  leafExpired: 'expired',
  leafNotYetValid: 'expired',
  leafOfOtherKey: 'not_issued',
  leafOfOtherName: 'not_issued',
  leafAuthority: 'ca_flag',
  leafTooLarge: 'certificate',
  leafP384: 'certificate',
  intermediateWithoutMarker: 'marker_oid',
  intermediateWithOtherMarker: 'marker_oid',
  intermediateNoAuthority: 'ca_flag',
  intermediateExpired: 'expired',
  intermediateNotYetValid: 'expired',
  outlivesItsRoot: 'good',
  intermediateOfOtherRoot: 'not_issued',
  leafWithCriticalExtension: 'extension',
  leafWithForeignExtension: 'good',
  leafWithoutUsage: 'key_usage',
  leafForEncryption: 'key_usage',
  leafForCertificates: 'key_usage',
  leafWithMarkerTwice: 'extension',
  intermediateWithCriticalExtension: 'extension',
  intermediateWithoutUsage: 'key_usage',
  intermediateForData: 'ca_flag', // The library counts it as no authority.
  intermediateOfNoDepth: 'good',
}
for (const [name, chain] of Object.entries(chains))
  test(`chain ${name} is ${expected[name as keyof ForgedChains]}`, () => {
    expect(verdict(chain.x5c)).toBe(expected[name as keyof ForgedChains])
  })

const oddRoots: Record<keyof Awaited<ReturnType<typeof forgeChainsOfOddRoots>>, ChainRefusal | 'good'> = {
  ofDepthOne: 'good',
  ofNoDepth: 'path_length',
  withCriticalExtension: 'extension',
  forData: 'key_usage',
}
for (const [name, { x5c }] of Object.entries(await forgeChainsOfOddRoots(NOW)))
  test(`chain of a root ${name} is ${oddRoots[name as keyof typeof oddRoots]}`, () => {
    const certificate = new X509Certificate(Buffer.from(x5c[2] ?? '', 'base64'))
    // As if it were pinned: what its own flags make of it is decided by the chain.
    const odd = { fingerprint: sha256Hex(certificate.raw), certificate }
    const verifier = new ChainVerifier(trustedRoots([odd]))
    expect(verdictOf(verifier, x5c, NOW, 'Sandbox')).toBe(oddRoots[name as keyof typeof oddRoots])
  })

const lists: [name: string, x5c: string[], reason: ChainRefusal][] = [
  ['no certificate', [], 'chain_length'],
  ['1 certificate', [leaf], 'chain_length'],
  ['2 certificates', [leaf, intermediate], 'chain_length'],
  ['4 certificates', [leaf, intermediate, rootText, rootText], 'chain_length'],
  ['50 certificates', Array.from({ length: 50 }, () => leaf), 'chain_length'],
  ['a root that is not the trusted one', [leaf, intermediate, chains.otherRoot.x5c[2] ?? ''], 'untrusted_root'],
  ['leaf and intermediate swapped', [intermediate, leaf, rootText], 'certificate'],
  ['the intermediate twice', [intermediate, intermediate, rootText], 'certificate'],
  ['empty text', ['', '', ''], 'certificate'],
  ['a leaf with a tail', [append(leaf, 'AAAA'), intermediate, rootText], 'certificate'],
  ['a leaf in PEM', [pem(leaf), intermediate, rootText], 'certificate'],
  ['a leaf in base64url', [Buffer.from(leaf, 'base64').toString('base64url'), intermediate, rootText], 'certificate'],
]
for (const [name, x5c, reason] of lists)
  test(`${name}: ${reason}`, () => {
    expect(verdict(x5c)).toBe(reason)
  })

const instants: [name: string, at: number, outcome: ChainRefusal | 'good'][] = [
  ['a minute after the last second', NOW + 5 * YEAR + 60_000, 'good'],
  ['later than that', NOW + 5 * YEAR + 60_001, 'expired'],
  ['a minute before the first second', NOW - 5 * YEAR - 60_000, 'good'],
  ['earlier than that', NOW - 5 * YEAR - 60_001, 'expired'],
  ['at no time', Number.NaN, 'expired'],
]
for (const [name, at, outcome] of instants)
  test(`signed ${name}: ${outcome}, remembered or not`, () => {
    expect(verdict(chains.good.x5c, at)).toBe(outcome)
    const verifier = new ChainVerifier(roots)
    verdictOf(verifier, chains.good.x5c, NOW, 'Sandbox')
    expect(verdictOf(verifier, chains.good.x5c, at, 'Sandbox')).toBe(outcome)
  })

test('a chain expired by now may have signed while it was valid', () => {
  expect(verdict(chains.leafExpired.x5c, NOW - 2 * YEAR)).toBe('good')
  expect(verdict(chains.intermediateExpired.x5c, NOW - 2 * YEAR)).toBe('good')
})

test('a chain that outlives its root signs no longer than its root', () => {
  expect(verdict(chains.outlivesItsRoot.x5c, NOW + 6 * YEAR)).toBe('expired')
  expect(verdict(chains.outlivesItsRoot.x5c, NOW - 6 * YEAR)).toBe('expired')
})

test('an extra root never signs for Production, even when its chain is remembered from Sandbox', () => {
  const verifier = new ChainVerifier(roots)
  expect(verdictOf(verifier, chains.good.x5c, NOW, 'Sandbox')).toBe('good')
  expect(verdictOf(verifier, chains.good.x5c, NOW, 'Production')).toBe('untrusted_root')
  expect(verdict(chains.good.x5c, NOW, 'Production')).toBe('untrusted_root')
})

test('an extra root signs for Xcode and LocalTesting like for Sandbox', () => {
  expect(verdict(chains.good.x5c, NOW, 'Xcode')).toBe('good')
  expect(verdict(chains.good.x5c, NOW, 'LocalTesting')).toBe('good')
})

test('without extra roots the forged root is trusted nowhere', () => {
  const verifier = new ChainVerifier(trustedRoots())
  for (const environment of ['Production', 'Sandbox', 'Xcode', 'LocalTesting'] as const)
    expect(verdictOf(verifier, chains.good.x5c, NOW, environment)).toBe('untrusted_root')
})

test('the chain with which the App Store signed in autumn 2025 is good in every environment', () => {
  const verifier = new ChainVerifier(trustedRoots())
  const apple = [APPLE_SIGNING, APPLE_WWDR_G6, trustedRoots().production[0]?.certificate.raw.toString('base64') ?? '']
  const at = Date.UTC(2025, 10, 1)
  expect(verdictOf(verifier, apple, at, 'Production')).toBe('good')
  expect(verdictOf(verifier, apple, at, 'Sandbox')).toBe('good')
  expect(verdictOf(verifier, apple, Date.UTC(2025, 8, 1), 'Production')).toBe('expired')
  expect(verdictOf(verifier, [leaf, ...apple.slice(1)], at, 'Production')).toBe('not_issued')
})

test('a chain is remembered once; a refused chain is not remembered', () => {
  const verifier = new ChainVerifier(roots)
  for (const { x5c } of Object.values(chains)) verifier.verify(x5c, 'Sandbox', NOW)
  for (const { x5c } of Object.values(chains)) verifier.verify(x5c, 'Sandbox', NOW)
  expect(verifier.size).toBe(Object.values(expected).filter((outcome) => outcome === 'good').length)
})

test('the memory is bounded and forgets the chain unused for longest', () => {
  const verifier = new ChainVerifier(roots, 2)
  const recall = ({ x5c }: { x5c: string[] }) => {
    const result = verifier.verify(x5c, 'Sandbox', NOW - 2 * YEAR)
    return result.ok ? result.chain : null
  }
  const first = recall(chains.good)
  const second = recall(chains.leafExpired)
  expect(recall(chains.good)).toBe(first)
  recall(chains.intermediateExpired)
  expect(verifier.size).toBe(2)
  expect(recall(chains.good)).toBe(first)
  expect(recall(chains.leafExpired)).not.toBe(second)
})

test('memory never turns a bad chain good, nor a good one bad', () => {
  const call = fc.record({
    chain: fc.constantFrom(...Object.values(chains)),
    at: fc.constantFrom(NOW, NOW - 2 * YEAR, NOW + 2 * YEAR, NOW + 6 * YEAR),
    environment: fc.constantFrom<AppleEnvironment>('Production', 'Sandbox', 'Xcode'),
  })
  const property = fc.property(fc.array(call, { maxLength: 20 }), (calls) => {
    const remembering = new ChainVerifier(roots, 2)
    for (const { chain, at, environment } of calls)
      expect(verdictOf(remembering, chain.x5c, at, environment)).toBe(verdict(chain.x5c, at, environment))
  })
  fc.assert(property, { seed: SEED, numRuns: 60 })
}, 600_000)

test('any text in place of certificates is refused and throws nothing', () => {
  const text = fc.oneof(fc.string(), fc.base64String(), fc.constantFrom(leaf, intermediate, rootText))
  const property = fc.property(fc.array(text, { maxLength: 4 }), (x5c) => {
    const isGood = x5c.length === 3 && x5c[0] === leaf && x5c[1] === intermediate && x5c[2] === rootText
    expect(verdict(x5c) === 'good').toBe(isGood)
  })
  fc.assert(property, { seed: SEED, numRuns: 500 })
})

test('a chain with any byte changed is refused', () => {
  const property = fc.property(
    fc.constantFrom(0, 1, 2),
    fc.nat(),
    fc.integer({ min: 1, max: 255 }),
    (index, at, bits) => {
      const x5c = [...chains.good.x5c]
      const bytes = Buffer.from(x5c[index] ?? '', 'base64')
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ bits
      x5c[index] = bytes.toString('base64')
      expect(verdict(x5c)).not.toBe('good')
    },
  )
  fc.assert(property, { seed: SEED, numRuns: 500 })
}, 600_000)

function append(base64: string, tail: string): string {
  return Buffer.concat([Buffer.from(base64, 'base64'), Buffer.from(tail)]).toString('base64')
}

function pem(base64: string): string {
  return Buffer.from(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`).toString('base64')
}
