import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import {
  IntroductoryOfferEligibilitySignatureCreator,
  PromotionalOfferV2SignatureCreator,
} from '@apple/app-store-server-library'
import { eq } from 'drizzle-orm'
import { compactVerify } from 'jose'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { offerText } from '../../src/stores/ios/offer-signature'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { NOW } from '../support/context'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const BUNDLE = 'com.example.sleep'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const inAppPurchaseKey = { keyId: 'ABC123DEFG', issuerId: '57246542-96fe-1a63-e053-0824d011072a' }
const TOKEN = 'AAAAAAAA-aaaa-4aaa-8aaa-aaaaaaaaaaaa'

async function save(config: Record<string, unknown>, secrets: Record<string, string>): Promise<void> {
  await s.ctx.write((tx) => saveStoreSettings(tx, s.project.id, 'ios', { config, secrets }))
  s.ctx.state.projects.forget(s.project.id)
}

const saveKey = (pem = PEM) => save({ bundleId: BUNDLE, inAppPurchaseKey }, { 'inAppPurchaseKey.privateKey': pem })

const PATHS = ['/v1/ios-offer-signature', '/v1/purchases/ios-offer-signature']
const ask = (body: object, path = '/v1/ios-offer-signature', options = {}) => s.post(path, body, options)
const OFFER = { productId: 'pro_monthly', offerId: 'winback' }

test('an offer is signed as the store checks it, under both addresses and mounts, for apps and servers', async () => {
  await saveKey()
  const web = { headers: { origin: 'https://app.example.com' } }
  const calls = [
    ...PATHS.map((path) => [path, {}] as const),
    ...PATHS.map((path) => [path, { key: s.project.secretKey }] as const),
    ...PATHS.map((path) => [path.replace('/v1', `/v1/web/${s.project.publicKey}`), web] as const),
  ]
  for (const [path, options] of calls) {
    const { status, body } = await ask({ ...OFFER, appAccountToken: TOKEN }, path, options)
    expect([status, Object.keys(body.data)]).toEqual([200, ['keyIdentifier', 'nonce', 'signature', 'timestamp']])
    const { keyIdentifier, nonce, signature, timestamp } = body.data
    expect([keyIdentifier, timestamp]).toEqual(['ABC123DEFG', NOW])
    expect(nonce).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    const text = [BUNDLE, keyIdentifier, MONTHLY.productId, 'winback', TOKEN.toLowerCase(), nonce, timestamp]
    const isGood = verify(
      'sha256',
      Buffer.from(text.join('\u2063')),
      createPublicKey(privateKey),
      Buffer.from(signature, 'base64'),
    )
    expect(isGood).toBe(true)
  }
})

test('the store id names the product as well, and without a token an empty one is signed', async () => {
  await saveKey()
  const { nonce, signature, timestamp } = (await ask({ ...OFFER, productId: MONTHLY.productId })).body.data
  const offer = { storeProductId: MONTHLY.productId, offerId: 'winback', appAccountToken: null, nonce, timestamp }
  const text = Buffer.from(offerText(BUNDLE, 'ABC123DEFG', offer))
  expect(verify('sha256', text, createPublicKey(privateKey), Buffer.from(signature, 'base64'))).toBe(true)
})

test('no two offers share a nonce', async () => {
  await saveKey()
  const nonces = await Promise.all(Array.from({ length: 20 }, async () => (await ask(OFFER)).body.data.nonce))
  expect(new Set(nonces).size).toBe(20)
})

describe('what cannot be signed', () => {
  const expectCode = async (code: string, status = 400) => {
    const answer = await ask(OFFER)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  }

  test('without a key, without any credentials, or with half of them: unavailable', async () => {
    await expectCode('ios_offer_signing_unavailable')
    await save({ bundleId: BUNDLE, inAppPurchaseKey }, {})
    await expectCode('ios_offer_signing_unavailable')
    await save({ bundleId: BUNDLE }, { 'inAppPurchaseKey.privateKey': PEM })
    await expectCode('ios_offer_signing_unavailable')
    const { storeSettings: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.delete(t).where(eq(t.projectId, s.project.id)))
    await expectCode('ios_offer_signing_unavailable')
  })

  test('with a key that is none, of another curve, or sealed with another master key: failed', async () => {
    await saveKey('-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----')
    await expectCode('ios_offer_signing_failed')
    await saveKey(
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    )
    await expectCode('ios_offer_signing_failed')
    await saveKey()
    const { storeSettings: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ sealed: 'v1.00000000.a.b.c' }).where(eq(t.projectId, s.project.id)))
    await expectCode('ios_offer_signing_failed')
  })

  test('another project keeps its key to itself', async () => {
    await saveKey()
    const answer = await ask(OFFER, undefined, { key: s.other.publicKey })
    expect(answer.body.error.code).toBe('ios_offer_signing_unavailable')
  })

  test('a body that lacks something, an unknown product or a token that is no UUID', async () => {
    await saveKey()
    const bodies = [{}, { productId: 'pro_monthly' }, { ...OFFER, offerId: '' }, { ...OFFER, productId: '' }]
    for (const body of [
      ...bodies,
      { ...OFFER, productId: 'nope' },
      { ...OFFER, appAccountToken: 'x' },
      { ...OFFER, offerId: 7 },
    ]) {
      const answer = await ask(body)
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect((await ask({ ...OFFER, more: true })).status).toBe(200)
  })

  test('nobody without a key', async () => {
    for (const path of PATHS) expect((await ask(OFFER, path, { key: null })).status).toBe(401)
  })
})

describe('as a JWS', () => {
  /** The claims of a JWS whose signature the store would accept; `nonce` is checked and left out. */
  async function claimsOf(jws: string) {
    const { payload, protectedHeader } = await compactVerify(jws, createPublicKey(privateKey))
    const { nonce, ...claims } = JSON.parse(Buffer.from(payload).toString())
    expect(nonce).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    return { header: protectedHeader, claims }
  }
  const { keyId, issuerId } = inAppPurchaseKey
  const app = [PEM, keyId, issuerId, BUNDLE] as const
  const ofLibrary = async (jws: string) => {
    const { header, claims } = await claimsOf(jws)
    return { header, claims: { ...claims, iat: Math.floor(NOW / 1000) } }
  }

  test('a promotional offer has the claims that the library of Apple signs', async () => {
    await saveKey()
    const creator = new PromotionalOfferV2SignatureCreator(...app)
    for (const transactionId of [undefined, '2000000123456789']) {
      const answer = await ask({ ...OFFER, format: 'jws', ...(transactionId !== undefined && { transactionId }) })
      expect([answer.status, Object.keys(answer.body.data)]).toEqual([200, ['jws']])
      const theirs = creator.createSignature(MONTHLY.productId, 'winback', transactionId)
      expect(await claimsOf(answer.body.data.jws)).toEqual(await ofLibrary(theirs))
    }
  })

  test('an introductory offer says whether the person may have it', async () => {
    await saveKey()
    const creator = new IntroductoryOfferEligibilitySignatureCreator(...app)
    const asked = { productId: 'pro_monthly', format: 'jws', kind: 'introductory', transactionId: '2000000123456789' }
    for (const [more, isAllowed] of [
      [{}, true],
      [{ allowIntroductoryOffer: false }, false],
    ] as const) {
      const { body } = await ask({ ...asked, ...more }, PATHS[1], { key: s.project.secretKey })
      const theirs = creator.createSignature(MONTHLY.productId, isAllowed, '2000000123456789')
      expect(await claimsOf(body.data.jws)).toEqual(await ofLibrary(theirs))
    }
  })

  test('with a public key an introductory offer is for a known transaction, a few times in a minute', async () => {
    await saveKey()
    const asked = { productId: 'pro_monthly', format: 'jws', kind: 'introductory' }
    const own = s.buy(MONTHLY)
    const transactionId = String(own.transactionId)
    const status = async (body: object, options = {}) => (await ask({ ...asked, ...body }, PATHS[0], options)).status
    expect(await status({ transactionId })).toBe(403)
    await s.receipt('svc_ada', own)
    expect(await status({ transactionId })).toBe(200)
    expect(await status({ transactionId }, { key: s.other.publicKey })).toBe(403)
    for (const near of [transactionId.slice(0, -1), `${transactionId}:CHARGE`, `${transactionId}0`])
      expect(await status({ transactionId: near })).toBe(403)
    expect(await status({ transactionId: '1', allowIntroductoryOffer: false })).toBe(200)
    for (let count = 0; count < 4; count++) expect(await status({ transactionId })).toBe(200)
    const answer = await ask({ ...asked, transactionId })
    expect([answer.status, answer.body.error.code, answer.headers.has('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      true,
    ])
    expect(await status({ transactionId }, { key: s.project.secretKey })).toBe(200)
  })

  test.each([
    [{ ...OFFER, format: 'other' }, 'body/format'],
    [{ ...OFFER, kind: 'other', format: 'jws' }, 'body/kind'],
    [{ productId: 'pro_monthly' }, 'offerId is missing'],
    [{ productId: 'pro_monthly', format: 'jws' }, 'offerId is needed for a promotional offer'],
    [{ productId: 'pro_monthly', kind: 'introductory' }, 'kind introductory needs format jws'],
    [{ productId: 'pro_monthly', kind: 'introductory', format: 'jws' }, 'transactionId is needed'],
    [{ ...OFFER, productId: 'none', format: 'jws' }, 'No product carries that productId'],
  ])('%j is refused', async (body, message) => {
    await saveKey()
    const answer = await ask(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.message).toContain(message)
  })

  test('without a key, or with a damaged one, it is refused as the older form is', async () => {
    const jws = { ...OFFER, format: 'jws' }
    expect((await ask(jws)).body.error.code).toBe('ios_offer_signing_unavailable')
    await save({ bundleId: BUNDLE, inAppPurchaseKey: { keyId } }, { 'inAppPurchaseKey.privateKey': PEM })
    expect((await ask(jws)).body.error.code).toBe('ios_offer_signing_unavailable')
    await saveKey('damaged')
    expect((await ask(jws)).body.error.code).toBe('ios_offer_signing_failed')
  })
})
