import { expect, test } from 'bun:test'
import { generateKeyPairSync, verify } from 'node:crypto'
import { PromotionalOfferSignatureCreator } from '@apple/app-store-server-library'
import fc from 'fast-check'
import { type Offer, type OfferSigner, offerText, signOffer } from './offer-signature'

const SEED = 20261120
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const signer: OfferSigner = { bundleId: 'com.example.app', keyId: 'ABC123DEFG', issuerId: null, privateKey: pem }
const offer: Offer = {
  storeProductId: 'pro_monthly',
  offerId: 'spring',
  appAccountToken: '7E3FB20B-4CDB-47CC-936D-99D65F608138',
  nonce: '0F8FAD5B-D9CB-469F-A165-70867728950E',
  timestamp: 1793000000000,
}

function signatureOf(changes: Partial<Offer> = {}, by: Partial<OfferSigner> = {}): string {
  const result = signOffer({ ...signer, ...by }, { ...offer, ...changes })
  return result.ok ? result.signature.signature : result.reason
}

const stands = (text: string, signature: string, key = pair.publicKey): boolean =>
  verify('sha256', Buffer.from(text), { key, dsaEncoding: 'der' }, Buffer.from(signature, 'base64'))

test('the signed text has seven parts joined by an invisible separator', () => {
  const parts = [
    'com.example.app',
    'ABC123DEFG',
    'pro_monthly',
    'spring',
    '7e3fb20b-4cdb-47cc-936d-99d65f608138',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    '1793000000000',
  ]
  expect(offerText('com.example.app', 'ABC123DEFG', offer).split('\u2063')).toEqual(parts)
})

test('without an account token its part is empty', () => {
  expect(offerText('b', 'k', { ...offer, appAccountToken: null }).split('\u2063')[4]).toBe('')
})

test('the answer names the key, the nonce in lower case and the time', () => {
  expect(signOffer(signer, offer)).toMatchObject({
    ok: true,
    signature: { keyIdentifier: 'ABC123DEFG', nonce: '0f8fad5b-d9cb-469f-a165-70867728950e', timestamp: 1793000000000 },
  })
})

test('any offer signed is verified by the public key, and by no other', () => {
  const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
  const offers = fc.record({
    storeProductId: text,
    offerId: text,
    appAccountToken: fc.option(fc.uuid()),
    nonce: fc.uuid({ version: 4 }),
    timestamp: fc.integer({ min: 0, max: 253402300799999 }),
  })
  const property = fc.property(offers, text, (any, bundleId) => {
    const signature = signatureOf(any, { bundleId })
    const signed = offerText(bundleId, 'ABC123DEFG', any)
    expect(stands(signed, signature)).toBe(true)
    expect(stands(signed, signature, other.publicKey)).toBe(false)
    expect(stands(`${signed} `, signature)).toBe(false)
  })
  fc.assert(property, { seed: SEED, numRuns: 200 })
})

test("Apple's own library signs the same text", () => {
  const library = new PromotionalOfferSignatureCreator(pem, 'ABC123DEFG', 'com.example.app')
  const tokens = ['7E3FB20B-4CDB-47CC-936D-99D65F608138', null]
  for (const appAccountToken of tokens) {
    const { storeProductId, offerId, nonce, timestamp } = offer
    const signature = library.createSignature(storeProductId, offerId, appAccountToken ?? '', nonce, timestamp)
    expect(stands(offerText('com.example.app', 'ABC123DEFG', { ...offer, appAccountToken }), signature)).toBe(true)
  }
})

test('changing any part of the offer breaks the signature', () => {
  const signature = signatureOf()
  const changes: Partial<Offer>[] = [
    { storeProductId: 'pro_yearly' },
    { offerId: 'autumn' },
    { appAccountToken: null },
    { nonce: '0f8fad5b-d9cb-469f-a165-70867728950f' },
    { timestamp: 1793000000001 },
  ]
  for (const change of changes)
    expect(stands(offerText('com.example.app', 'ABC123DEFG', { ...offer, ...change }), signature)).toBe(false)
})

const refusals: [name: string, by: Partial<OfferSigner>, reason: string][] = [
  ['no bundle', { bundleId: null }, 'unavailable'],
  ['no key id', { keyId: null }, 'unavailable'],
  ['no key', { privateKey: null }, 'unavailable'],
  ['an empty bundle', { bundleId: '' }, 'unavailable'],
  ['an empty key id', { keyId: '' }, 'unavailable'],
  ['an empty key', { privateKey: '' }, 'unavailable'],
  ['a damaged key', { privateKey: pem.replace(/[A-Z]{4}/, '!!!!') }, 'failed'],
  ['a key cut short', { privateKey: pem.slice(0, 100) }, 'failed'],
  ['a public key', { privateKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() }, 'failed'],
  [
    'a key of another curve',
    {
      privateKey: generateKeyPairSync('ec', { namedCurve: 'P-384' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    },
    'failed',
  ],
  [
    'an Ed25519 key',
    { privateKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
    'failed',
  ],
]
for (const [name, by, reason] of refusals)
  test(`${name}: ${reason}`, () => {
    expect(signOffer({ ...signer, ...by }, offer)).toEqual({ ok: false, reason } as ReturnType<typeof signOffer>)
  })
