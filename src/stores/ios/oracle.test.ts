import { expect, test } from 'bun:test'
import { createHmac, createPublicKey } from 'node:crypto'
import { Environment, SignedDataVerifier } from '@apple/app-store-server-library'
import fc from 'fast-check'
import {
  type ForgedChain,
  forgeChains,
  REFUSED_HERE_ALONE,
  signToken,
  signWith,
  toSegment,
} from '../../../test/support/ios-forge'
import { toRoot } from '../../base/lib/certificates'
import { DAY, SECOND } from '../../base/lib/clock'
import { ChainVerifier } from './chain'
import { decodeTransaction } from './decode'
import { verifySigned } from './jws'
import { trustedRoots } from './roots'

// These tests compare svc with Apple's own library: for each token both must accept it or both refuse it.

const NOW = Date.UTC(2026, 10, 20, 8)
const YEAR = 365 * DAY
const BUNDLE = 'com.example.app'
const SEED = 20261120

const chains = await forgeChains(NOW)
const { good } = chains
const rootDer = Buffer.from(good.x5c[2] ?? '', 'base64')
const root = toRoot(rootDer)
if (!root) throw new Error('the forged root is no root')
const roots = trustedRoots([root])
const warm = new ChainVerifier(roots)
const apple = new SignedDataVerifier([rootDer], false, Environment.SANDBOX, BUNDLE)

const payload = {
  transactionId: '2000000123456789',
  originalTransactionId: '2000000123456789',
  webOrderLineItemId: '2000000098765432',
  bundleId: BUNDLE,
  productId: 'pro_monthly',
  subscriptionGroupIdentifier: '21000000',
  purchaseDate: NOW,
  originalPurchaseDate: NOW,
  expiresDate: NOW + 30 * DAY,
  quantity: 1,
  type: 'Auto-Renewable Subscription',
  appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
  inAppOwnershipType: 'PURCHASED',
  signedDate: NOW,
  environment: 'Sandbox',
  transactionReason: 'PURCHASE',
  storefront: 'USA',
  storefrontId: '143441',
  price: 9990,
  currency: 'USD',
}
const { environment: _, ...withoutEnvironment } = payload

const payloads: [name: string, payload: object][] = [
  ['a purchase', payload],
  ['a refund', { ...payload, revocationDate: NOW, revocationReason: 1 }],
  ['an unknown field', { ...payload, multiSeatInfo: { seats: 5 } }],
  ['unknown enumeration values', { ...payload, type: 'Future', offerType: 99, offerDiscountType: 'NEW' }],
  ['another bundle', { ...payload, bundleId: 'com.example.other' }],
  ['another case of the bundle', { ...payload, bundleId: 'com.example.App' }],
  ['environment Production', { ...payload, environment: 'Production' }],
  ['environment Xcode', { ...payload, environment: 'Xcode' }],
  ['environment LocalTesting', { ...payload, environment: 'LocalTesting' }],
  ['an unknown environment', { ...payload, environment: 'sandbox' }],
  ['no environment', withoutEnvironment],
  ['signed two years ago', { ...payload, signedDate: NOW - 2 * YEAR }],
  ['signed in two years', { ...payload, signedDate: NOW + 2 * YEAR }],
  ['signed long before any certificate', { ...payload, signedDate: NOW - 6 * YEAR }],
  ['signed long after every certificate', { ...payload, signedDate: NOW + 6 * YEAR }],
  ['signed within a minute of the last second', { ...payload, signedDate: NOW + 5 * YEAR + 59 * SECOND }],
  ['signed more than a minute after the last second', { ...payload, signedDate: NOW + 5 * YEAR + 61 * SECOND }],
  ['signed within a minute of the first second', { ...payload, signedDate: NOW - 5 * YEAR - 59 * SECOND }],
  ['signed more than a minute before the first second', { ...payload, signedDate: NOW - 5 * YEAR - 61 * SECOND }],
  ['a date as text', { ...payload, expiresDate: '2026-12-20T08:00:00.000Z' }],
  ['the signing date as text', { ...payload, signedDate: String(NOW) }],
  ['a price as text', { ...payload, price: '9990' }],
  ['an offer type as text', { ...payload, offerType: '1' }],
  ['a flag as text', { ...payload, isUpgraded: 'yes' }],
  ['a number as account token', { ...payload, appAccountToken: 7 }],
]

// Only svc refuses these two: see the last tests.
const comparable = Object.entries(chains).filter(([name]) => !REFUSED_HERE_ALONE.includes(name))
const crossed = comparable.flatMap(([chainName, chain]) =>
  payloads.map(([name, claims]): [string, string] => [`${name}, chain ${chainName}`, signWith(chain, claims)]),
)

const [leaf = '', intermediate = '', rootText = ''] = good.x5c
const signed = signWith(good, payload)
const [head = '', body = '', tail = ''] = signed.split('.')
const withHeader = (header: object): string => signToken(header, payload, good.leafKey)
const withChain = (...x5c: unknown[]): string => withHeader({ alg: 'ES256', x5c })
const otherLeaf = chains.otherRoot.x5c[0] ?? ''

function signedByHmac(): string {
  const secret = createPublicKey(good.leafKey).export({ type: 'spki', format: 'pem' })
  const text = `${toSegment({ alg: 'HS256', x5c: good.x5c })}.${body}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const damaged: [name: string, token: string][] = [
  ['alg none without a signature', `${toSegment({ alg: 'none', x5c: good.x5c })}.${body}.`],
  ['alg none with a signature', withHeader({ alg: 'none', x5c: good.x5c })],
  ['alg HS256 keyed with the public key', signedByHmac()],
  ['alg HS256 named only', withHeader({ alg: 'HS256', x5c: good.x5c })],
  ['alg RS256', withHeader({ alg: 'RS256', x5c: good.x5c })],
  ['alg PS256', withHeader({ alg: 'PS256', x5c: good.x5c })],
  ['alg ES384 with a P-256 key', signToken({ alg: 'ES384', x5c: good.x5c }, payload, good.leafKey, 'sha384')],
  ['alg in lower case', withHeader({ alg: 'es256', x5c: good.x5c })],
  ['alg missing', withHeader({ x5c: good.x5c })],
  ['alg as a list', withHeader({ alg: ['ES256'], x5c: good.x5c })],
  ['x5c missing', withHeader({ alg: 'ES256' })],
  ['x5c null', withHeader({ alg: 'ES256', x5c: null })],
  ['x5c as text', withHeader({ alg: 'ES256', x5c: 'abc' })],
  ['x5c empty', withChain()],
  ['x5c of 1', withChain(leaf)],
  ['x5c of 2', withChain(leaf, intermediate)],
  ['x5c of 4', withChain(leaf, intermediate, rootText, rootText)],
  ['x5c of 50', withChain(...Array.from({ length: 50 }, () => leaf))],
  ['x5c of numbers', withChain(1, 2, 3)],
  ['x5c of empty text', withChain('', '', '')],
  ['x5c of base64 that is no certificate', withChain('AAAA', 'BBBB', 'CCCC')],
  ['a garbage leaf', withChain('not base64!', intermediate, rootText)],
  ['a garbage intermediate', withChain(leaf, 'not base64!', rootText)],
  ['a leaf cut short', withChain(leaf.slice(0, -40), intermediate, rootText)],
  ['an intermediate cut short', withChain(leaf, intermediate.slice(0, 200), rootText)],
  ['leaf and intermediate swapped', withChain(intermediate, leaf, rootText)],
  ['the root as leaf', withChain(rootText, intermediate, leaf)],
  ['the root as intermediate', withChain(leaf, rootText, rootText)],
  ['the leaf thrice', withChain(leaf, leaf, leaf)],
  ['a leaf of another chain', withChain(otherLeaf, chains.otherRoot.x5c[1], rootText)],
  ['signed by the key of another leaf', signToken({ alg: 'ES256', x5c: good.x5c }, payload, chains.leafP384.leafKey)],
  ['payload changed after signing', `${head}.${toSegment({ ...payload, productId: 'pro_lifetime' })}.${tail}`],
  ['payload of another token', `${head}.${toSegment({ ...payload, price: 1 })}.${tail}`],
  ['signature of another token', `${head}.${body}.${signWith(good, { ...payload, price: 1 }).split('.')[2]}`],
  ['signature of zeros', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`],
  ['signature too short', `${head}.${body}.${tail.slice(0, 60)}`],
  ['signature too long', `${head}.${body}.${tail}AAAA`],
  ['signature missing', `${head}.${body}.`],
  ['two parts', `${head}.${body}`],
  ['four parts', `${signed}.${tail}`],
  ['one part', head],
  ['nothing', ''],
  ['only dots', '..'],
  ['a space in front', ` ${signed}`],
  ['a line break in the signature', `${head}.${body}.${tail.slice(0, 40)}\n${tail.slice(40)}`],
  ['padding in the signature', `${signed}==`],
  ['payload not JSON', `${head}.${Buffer.from('{"a":').toString('base64url')}.${tail}`],
  ['payload null', signWith(good, null)],
  ['payload a list', signWith(good, [payload])],
  ['header not JSON', `${Buffer.from('ES256').toString('base64url')}.${body}.${tail}`],
  ...[0.1, 0.3, 0.5, 0.7, 0.9, 0.99].map((part): [string, string] => [
    `cut to ${part * 100} %`,
    signed.slice(0, Math.floor(signed.length * part)),
  ]),
]

const cases = [...crossed, ...damaged]

test('the table has at least 200 tokens, some of them good', async () => {
  expect(cases.length).toBeGreaterThanOrEqual(200)
  const verdicts = await Promise.all(cases.map(([, token]) => isAcceptedByApple(token)))
  expect(verdicts.filter(Boolean).length).toBeGreaterThanOrEqual(10)
})

test('svc and the library agree on every token, with and without remembered chains', async () => {
  const disagreements: string[] = []
  for (const [name, token] of [...cases, ...cases.toReversed()]) {
    const expected = await isAcceptedByApple(token)
    const cold = isAcceptedHere(token, new ChainVerifier(roots))
    if (cold !== expected || isAcceptedHere(token, warm) !== expected)
      disagreements.push(`${name}: library ${expected}`)
  }
  expect(disagreements).toEqual([])
}, 600_000)

test('svc and the library agree on tokens with random characters changed', async () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom(...'ABCDwxyz0189-_.='))
  const agree = async (changes: [number, string][]): Promise<boolean> => {
    const characters = [...signed]
    for (const [at, character] of changes) characters[at % characters.length] = character
    const token = characters.join('')
    return (await isAcceptedByApple(token)) === isAcceptedHere(token, warm)
  }
  const property = fc.asyncProperty(fc.array(change, { minLength: 0, maxLength: 3 }), agree)
  await fc.assert(property, { seed: SEED, numRuns: 300 })
}, 600_000)

test('a chain expired by now is accepted for what it signed while it was valid', () => {
  const token = signWith(chains.leafExpired, { ...payload, signedDate: NOW - 2 * YEAR })
  expect(isAcceptedHere(token, warm)).toBe(true)
  expect(isAcceptedHere(signWith(chains.leafExpired, payload), warm)).toBe(false)
})

const stricter: [name: string, token: string][] = [
  ['the last certificate is not the root', withChain(leaf, intermediate, chains.otherRoot.x5c[2])],
  ...Object.entries(chains)
    .filter(([name]) => REFUSED_HERE_ALONE.includes(name))
    .map(([name, chain]): [string, string] => [`the chain is ${name}`, signWith(chain, payload)]),
  ['the algorithm is ES384, by a leaf that has such a key', es384(chains.leafP384)],
  ['a critical header is not understood', withHeader({ alg: 'ES256', x5c: good.x5c, crit: ['exp'], exp: 1 })],
  [
    'a certificate is written in base64 with line breaks',
    withChain(`${leaf.slice(0, 64)}\n${leaf.slice(64)}`, intermediate, rootText),
  ],
  ['the signing date is missing', signWith(good, { ...payload, signedDate: undefined })],
  ['the signing date is past the year 9999', signWith(good, { ...payload, signedDate: 1e300 })],
  ['the transaction id is missing', signWith(good, { ...payload, transactionId: undefined })],
  ['the quantity is 0', signWith(good, { ...payload, quantity: 0 })],
  ['the price is not whole', signWith(good, { ...payload, price: 9.99 })],
  ['a subscription has no end', signWith(good, { ...payload, expiresDate: undefined })],
]
for (const [name, token] of stricter)
  test(`svc alone refuses when ${name}`, async () => {
    expect(await isAcceptedByApple(token)).toBe(true)
    expect(isAcceptedHere(token, warm)).toBe(false)
  })

function es384({ x5c, leafKey }: ForgedChain): string {
  return signToken({ alg: 'ES384', x5c }, payload, leafKey, 'sha384')
}

function isAcceptedHere(token: string, verifier: ChainVerifier): boolean {
  const result = verifySigned(token, verifier)
  if (!result.ok || result.environment !== 'Sandbox') return false
  const decoded = decodeTransaction(result.payload)
  return decoded.ok && decoded.transaction.bundleId === BUNDLE
}

const isAcceptedByApple = (token: string): Promise<boolean> =>
  apple.verifyAndDecodeTransaction(token).then(
    () => true,
    () => false,
  )
