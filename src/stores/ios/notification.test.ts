import { describe, expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { type ForgedChain, forgeChains, signWith } from '../../../test/support/ios-forge'
import { toRoot } from '../../base/lib/certificates'
import { DAY, SECOND } from '../../base/lib/clock'
import { ChainVerifier } from './chain'
import { MAX_TOKEN_CHARS, verifySigned } from './jws'
import { type NotificationExpectations, type TokenVerifier, verifyNotification } from './notification'
import { trustedRoots } from './roots'
import { IosStore } from './store'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120
const APP_ID = 1234567890
const BUNDLE = 'com.example.app'

const chains = await forgeChains(NOW)
const { good } = chains
const root = toRoot(Buffer.from(good.x5c[2] ?? '', 'base64'))
if (!root) throw new Error('the forged root is no root')

// In these tests the forged root is also a Production root. Really only the pinned root signs for Production.
const production = new ChainVerifier({ production: [root], sandbox: [root], local: [] })
const sandboxOnly = new ChainVerifier(trustedRoots([root]))
const verifierOf = (chain: ChainVerifier): TokenVerifier => ({
  verify: (token, options) => verifySigned(token, chain, options),
})

type Payload = Record<string, unknown>

const transaction: Payload = {
  transactionId: '2000000000000002',
  originalTransactionId: '2000000000000001',
  bundleId: BUNDLE,
  productId: 'pro_monthly',
  purchaseDate: NOW,
  originalPurchaseDate: NOW - 30 * DAY,
  expiresDate: NOW + 30 * DAY,
  type: 'Auto-Renewable Subscription',
  signedDate: NOW,
}
const renewal: Payload = {
  originalTransactionId: '2000000000000001',
  autoRenewProductId: 'pro_monthly',
  productId: 'pro_monthly',
  autoRenewStatus: 1,
  isInBillingRetryPeriod: false,
  signedDate: NOW,
}

interface Story {
  environment?: string
  type?: string
  data?: Payload
  outer?: Payload
  transaction?: Payload
  renewal?: Payload
  /** The chain that signs each token. */
  signer?: ForgedChain
  transactionSigner?: ForgedChain
  renewalSigner?: ForgedChain
}

function signed(story: Story = {}): string {
  const { environment = 'Production', type = 'DID_RENEW', signer = good } = story
  const data = {
    appAppleId: APP_ID,
    bundleId: BUNDLE,
    environment,
    signedTransactionInfo: signWith(story.transactionSigner ?? good, {
      ...transaction,
      environment,
      ...story.transaction,
    }),
    signedRenewalInfo: signWith(story.renewalSigner ?? good, { ...renewal, environment, ...story.renewal }),
    ...story.data,
  }
  const outer = { notificationType: type, notificationUUID: 'n-1', version: '2.0', signedDate: NOW, data }
  return signWith(signer, { ...outer, ...story.outer })
}

const expected: NotificationExpectations = { bundleId: BUNDLE, appId: String(APP_ID), allowLocal: false }

const verify = (token: string, changes: Partial<NotificationExpectations> = {}, chain = production) =>
  verifyNotification(token, verifierOf(chain), { ...expected, ...changes })

test('a notification of Production is read', async () => {
  expect(await verify(signed())).toMatchObject({
    ok: true,
    notification: {
      notificationId: 'n-1',
      type: 'DID_RENEW',
      environment: 'PRODUCTION',
      appAppleId: APP_ID,
      effect: { kind: 'OBSERVATIONS', transaction: { chainKey: '2000000000000001' } },
    },
  })
})

test('a notification of the sandbox needs no app id, saved or told', async () => {
  const token = signed({ environment: 'Sandbox', data: { appAppleId: undefined } })
  expect(await verify(token, { appId: null })).toMatchObject({ ok: true, notification: { environment: 'SANDBOX' } })
  expect((await verify(signed({ environment: 'Sandbox' }), { appId: '7' })).ok).toBe(true)
})

test('a notification without renewal information is read', async () => {
  expect((await verify(signed({ data: { signedRenewalInfo: undefined } }))).ok).toBe(true)
})

test('local testing is taken only where it is allowed, and only with a signature', async () => {
  for (const environment of ['Xcode', 'LocalTesting']) {
    const token = signed({ environment })
    expect(await verify(token)).toMatchObject({ ok: false, reason: 'environment' })
    expect(await verify(token, { allowLocal: true })).toMatchObject({ notification: { environment: 'SANDBOX' } })
    const forged = signed({ environment, signer: chains.otherRoot })
    expect(await verify(forged, { allowLocal: true })).toMatchObject({ ok: false, reason: 'signature' })
  }
})

test('the store of the process verifies it, and looks for the root of the test store', async () => {
  const store = new IosStore({ extraRoots: [], loadTestRoot: async () => root }).of('prj_1')
  const result = await verifyNotification(signed({ environment: 'Sandbox' }), store, expected)
  expect(result.ok).toBe(true)
  expect(await verifyNotification(signed(), store, expected)).toMatchObject({ reason: 'signature' })
})

test('a flood of forged chains does not read the root of the test store again and again', async () => {
  const time = spyOn(performance, 'now').mockReturnValue(0)
  let reads = 0
  let kept: typeof root | null = null
  const loadTestRoot = async () => {
    reads++
    return kept
  }
  const store = new IosStore({ extraRoots: [], loadTestRoot }).of('prj_1')
  const token = signed({ environment: 'Sandbox' })
  expect(await verifyNotification(token, store, expected)).toMatchObject({ reason: 'signature', isForged: true })
  kept = root // The root was created in the meantime and is trusted at once.
  expect((await verifyNotification(token, store, expected)).ok).toBe(true)
  const forged = signed({ environment: 'Sandbox', signer: chains.otherRoot })
  for (const atMs of [0, 1000, 1999, 2000]) {
    time.mockReturnValue(atMs)
    expect(await verifyNotification(forged, store, expected)).toMatchObject({ ok: false, isForged: true })
    expect([atMs, reads]).toEqual([atMs, atMs < 2 * SECOND ? 2 : 3])
  }
  time.mockRestore()
})

test('the tokens within a type that changes no purchase stay unopened', async () => {
  const data = { signedTransactionInfo: 'odd', signedRenewalInfo: 'odd' }
  for (const type of ['METADATA_UPDATE', 'MIGRATION', 'MOON_PHASE', 'RENEWAL_EXTENSION'])
    expect(await verify(signed({ type, data }))).toMatchObject({
      ok: true,
      notification: { effect: { kind: 'IGNORED' } },
    })
  expect(await verify(signed({ type: 'TEST', data }))).toMatchObject({ notification: { effect: { kind: 'TEST' } } })
})

describe('refusals', () => {
  const [head = '', body = '', tail = ''] = signed().split('.')
  const [, otherBody = ''] = signed({ type: 'REFUND' }).split('.')

  const tokens: [name: string, token: string, reason: string][] = [
    ['nothing', '', 'malformed'],
    ['no token', 'signedPayload', 'malformed'],
    ['two parts', `${head}.${body}`, 'malformed'],
    ['a token too large', `${head}.${'A'.repeat(MAX_TOKEN_CHARS)}.${tail}`, 'malformed'],
    ['a payload that is no JSON', `${head}.AAAA.${tail}`, 'malformed'],
    ['the payload of another notification', `${head}.${otherBody}.${tail}`, 'signature'],
    ['no signature', `${head}.${body}.`, 'signature'],
    ['signed below another root', signed({ signer: chains.otherRoot }), 'signature'],
    ['signed by a chain without the markers', signed({ signer: chains.leafWithoutMarker }), 'signature'],
    ['signed after the chain had expired', signed({ signer: chains.leafExpired }), 'signature'],
    ['a transaction below another root', signed({ transactionSigner: chains.otherRoot }), 'signature'],
    ['a renewal below another root', signed({ renewalSigner: chains.otherRoot }), 'signature'],
    ['a transaction by an expired chain', signed({ transactionSigner: chains.intermediateExpired }), 'signature'],
    ['a transaction that is no token', signed({ data: { signedTransactionInfo: 'odd' } }), 'malformed'],
    ['a renewal that is no token', signed({ data: { signedRenewalInfo: 'odd' } }), 'malformed'],
    ['no transaction', signed({ data: { signedTransactionInfo: undefined } }), 'malformed'],
    ['a transaction of no date', signed({ transaction: { signedDate: undefined } }), 'malformed'],
    ['no id', signed({ outer: { notificationUUID: undefined } }), 'malformed'],
    ['a transaction of another chain', signed({ transaction: { originalTransactionId: '7' } }), 'malformed'],
    ['an environment that does not exist', signed({ environment: 'Staging' }), 'environment'],
    ['no data', signed({ outer: { data: undefined } }), 'environment'],
    ['data as text', signed({ outer: { data: 'data' } }), 'environment'],
    ['a transaction of the sandbox', signed({ transaction: { environment: 'Sandbox' } }), 'environment'],
    ['a renewal of the sandbox', signed({ renewal: { environment: 'Sandbox' } }), 'environment'],
    ['a transaction of Xcode', signed({ transaction: { environment: 'Xcode' } }), 'environment'],
    ['another bundle', signed({ data: { bundleId: 'com.example.other' } }), 'bundle'],
    ['another case of the bundle', signed({ data: { bundleId: 'com.example.App' } }), 'bundle'],
    ['a transaction of another bundle', signed({ transaction: { bundleId: 'com.example.other' } }), 'bundle'],
    ['another app id', signed({ data: { appAppleId: 7 } }), 'app_id_mismatch'],
    ['no app id', signed({ data: { appAppleId: undefined } }), 'app_id_mismatch'],
  ]
  for (const [name, token, reason] of tokens)
    test(`${name}: ${reason}`, async () => {
      expect(await verify(token)).toMatchObject({ ok: false, reason })
    })

  test('Production while no app id is saved: app_id_missing', async () => {
    expect(await verify(signed(), { appId: null })).toMatchObject({ ok: false, reason: 'app_id_missing' })
  })

  test('an app id is compared as a whole: no id is not the text null', async () => {
    const token = signed({ data: { appAppleId: undefined } })
    for (const appId of ['', 'null', '0', '123456789', '12345678900', ' 1234567890'])
      expect(await verify(appId === 'null' ? token : signed(), { appId })).toMatchObject({ reason: 'app_id_mismatch' })
  })

  test('another app is told so before anything is said of the app id', async () => {
    const token = signed({ data: { bundleId: 'com.example.other' } })
    expect(await verify(token, { appId: null })).toMatchObject({ ok: false, reason: 'bundle' })
  })

  test('a forged notification is told nothing but that, whatever it claims', async () => {
    const token = signed({ signer: chains.otherRoot, data: { bundleId: 'com.example.other', appAppleId: 7 } })
    expect(await verify(token, { appId: null })).toMatchObject({ ok: false, reason: 'signature' })
  })

  test('an extra root signs nothing of Production, neither outside nor inside', async () => {
    expect(await verify(signed(), {}, sandboxOnly)).toMatchObject({ ok: false, reason: 'signature' })
    expect((await verify(signed({ environment: 'Sandbox' }), {}, sandboxOnly)).ok).toBe(true)
    const claimed = signed({ environment: 'Sandbox', transaction: { environment: 'Production' } })
    expect(await verify(claimed, {}, sandboxOnly)).toMatchObject({ ok: false, reason: 'signature' })
  })

  test('the fault is named for the log', async () => {
    expect(await verify(signed({ renewalSigner: chains.otherRoot }))).toMatchObject({
      detail: 'data.signedRenewalInfo: untrusted_root',
    })
    expect(await verify(signed({ transaction: { productId: 7 } }))).toMatchObject({
      detail: 'data.signedTransactionInfo.productId',
    })
  })
})

describe('random input', () => {
  const token = signed()

  test('bytes of any kind are refused without a throw', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString('latin1'))
    const property = fc.asyncProperty(fc.oneof(bytes, fc.string({ unit: 'binary' })), async (text) => {
      expect((await verify(text)).ok).toBe(false)
    })
    await fc.assert(property, { seed: SEED, numRuns: 1000 })
  })

  test('three random parts are refused without a throw', async () => {
    const part = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('base64url'))
    const json = fc.json().map((text) => Buffer.from(text).toString('base64url'))
    const property = fc.asyncProperty(fc.array(fc.oneof(part, json), { minLength: 3, maxLength: 3 }), async (parts) => {
      expect((await verify(parts.join('.'))).ok).toBe(false)
    })
    await fc.assert(property, { seed: SEED, numRuns: 1000 })
  })

  test('a good token with any characters changed is refused, or is the same token', async () => {
    const change = fc.tuple(fc.nat(token.length - 1), fc.constantFrom(...'ABCDwxyz0189-_.='))
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const characters = [...token]
      for (const [at, character] of changes) characters[at] = character
      const changed = characters.join('')
      const result = await verify(changed)
      // The last character of a signature has unused bits.
      if (result.ok) expect(changed.slice(0, -1)).toBe(token.slice(0, -1))
    })
    await fc.assert(property, { seed: SEED, numRuns: 500 })
  })

  test('signed payloads with anything in them throw nothing', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(
        'data',
        'notificationType',
        'subtype',
        'summary',
        'appData',
        'externalPurchaseToken',
        'signedDate',
      ),
      fc.anything(),
      async (member, value) => {
        let text: string
        try {
          text = signed({ outer: { [member]: value } })
        } catch {
          return // Not a JSON value.
        }
        const result = await verify(text)
        expect(typeof result.ok).toBe('boolean')
      },
    )
    await fc.assert(property, { seed: SEED, numRuns: 500 })
  })
})
