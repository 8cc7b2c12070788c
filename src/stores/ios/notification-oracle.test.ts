import { expect, test } from 'bun:test'
import { Environment, SignedDataVerifier } from '@apple/app-store-server-library'
import fc from 'fast-check'
import { forgeChains, REFUSED_HERE_ALONE, signWith } from '../../../test/support/ios-forge'
import { toRoot } from '../../base/lib/certificates'
import { DAY } from '../../base/lib/clock'
import { OTHER_NOTIFICATIONS, PURCHASE_NOTIFICATIONS } from '../../test-store/stores/notification'
import { ChainVerifier } from './chain'
import { verifySigned } from './jws'
import { verifyNotification } from './notification'
import { concernsPurchase } from './notification-decode'

// These tests compare svc with Apple's own library: for each notification both must accept it or both refuse it.

const NOW = Date.UTC(2026, 10, 20, 8)
const YEAR = 365 * DAY
const BUNDLE = 'com.example.app'
const APP_ID = 1234567890
const SEED = 20261120

const chains = await forgeChains(NOW)
const { good } = chains
const rootDer = Buffer.from(good.x5c[2] ?? '', 'base64')
const root = toRoot(rootDer)
if (!root) throw new Error('the forged root is no root')
const chain = new ChainVerifier({ production: [root], sandbox: [root], local: [] })
const verifier = { verify: (token: string, options: object) => verifySigned(token, chain, options) }

const apples = {
  Sandbox: new SignedDataVerifier([rootDer], false, Environment.SANDBOX, BUNDLE),
  Production: new SignedDataVerifier([rootDer], false, Environment.PRODUCTION, BUNDLE, APP_ID),
}
type Target = keyof typeof apples

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
  type: string
  subtype: string | null
  environment: string
  outer?: Payload
  data?: Payload
  transaction?: Payload
  renewal?: Payload
}

function signed({ type, subtype, environment, ...story }: Story, signer = good): string {
  const data = {
    appAppleId: APP_ID,
    bundleId: BUNDLE,
    environment,
    signedTransactionInfo: signWith(good, { ...transaction, environment, ...story.transaction }),
    signedRenewalInfo: signWith(good, { ...renewal, environment, ...story.renewal }),
    ...story.data,
  }
  const outer = { notificationType: type, notificationUUID: 'n-1', version: '2.0', signedDate: NOW, data }
  return signWith(signer, { ...outer, ...(subtype === null ? {} : { subtype }), ...story.outer })
}

/**
 * The library does not verify the tokens inside a notification; its caller does. Here they are verified where svc does
 * so.
 */
async function isAcceptedByApple(token: string, target: Target): Promise<boolean> {
  const apple = apples[target]
  try {
    const { notificationType = '', data } = await apple.verifyAndDecodeNotification(token)
    if (!concernsPurchase(notificationType)) return true
    if (data?.signedTransactionInfo === undefined) return false
    await apple.verifyAndDecodeTransaction(data.signedTransactionInfo)
    if (data.signedRenewalInfo !== undefined) await apple.verifyAndDecodeRenewalInfo(data.signedRenewalInfo)
    return true
  } catch {
    return false
  }
}

async function isAcceptedHere(token: string, target: Target): Promise<boolean> {
  const result = await verifyNotification(token, verifier, {
    bundleId: BUNDLE,
    appId: String(APP_ID),
    allowLocal: false,
  })
  return result.ok && result.notification.environment === (target === 'Production' ? 'PRODUCTION' : 'SANDBOX')
}

const environments = ['Sandbox', 'Production', 'Xcode', 'LocalTesting', 'Staging']

test('svc and the library agree on every type, subtype and environment', async () => {
  const disagreements: string[] = []
  let accepted = 0
  for (const [type, subtype] of [...PURCHASE_NOTIFICATIONS, ...OTHER_NOTIFICATIONS])
    for (const environment of environments)
      for (const target of ['Sandbox', 'Production'] as const) {
        const token = signed({ type, subtype, environment })
        const isAccepted = await isAcceptedByApple(token, target)
        if (isAccepted !== (await isAcceptedHere(token, target)))
          disagreements.push(`${type} ${subtype} ${environment} for ${target}: library ${isAccepted}`)
        if (isAccepted) accepted++
      }
  expect(disagreements).toEqual([])
  expect(accepted).toBe(2 * (PURCHASE_NOTIFICATIONS.length + OTHER_NOTIFICATIONS.length))
}, 600_000)

const EXTERNAL = { externalPurchaseId: 'SANDBOX_1', tokenCreationDate: NOW, appAppleId: APP_ID, bundleId: BUNDLE }
const APP = { appAppleId: APP_ID, bundleId: BUNDLE, environment: 'Sandbox' }

const variants: [name: string, story: Omit<Story, 'type' | 'subtype' | 'environment'>][] = [
  ['as it is', {}],
  ['another bundle', { data: { bundleId: 'com.example.other' } }],
  ['no bundle', { data: { bundleId: undefined } }],
  ['another app id', { data: { appAppleId: 7 } }],
  ['no app id', { data: { appAppleId: undefined } }],
  ['an app id as text', { data: { appAppleId: String(APP_ID) } }],
  ['a bundle as number', { data: { bundleId: 7 } }],
  ['an environment as number', { data: { environment: 1 } }],
  ['a status as text', { data: { status: 'ACTIVE' } }],
  ['an unknown status', { data: { status: 99 } }],
  ['a reason as number', { data: { consumptionRequestReason: 1 } }],
  ['a type as number', { outer: { notificationType: 7 } }],
  ['a subtype as number', { outer: { subtype: 7 } }],
  ['an id as number', { outer: { notificationUUID: 7 } }],
  ['a version as number', { outer: { version: 2 } }],
  ['a signing date as text', { outer: { signedDate: String(NOW) } }],
  ['signed two years ago', { outer: { signedDate: NOW - 2 * YEAR } }],
  ['signed before every certificate', { outer: { signedDate: NOW - 6 * YEAR } }],
  ['signed after every certificate', { outer: { signedDate: NOW + 6 * YEAR } }],
  ['unknown members', { outer: { moon: 1 }, data: { moon: [] }, transaction: { moon: {} }, renewal: { moon: 'x' } }],
  ['no data', { outer: { data: undefined } }],
  ['a summary in place of data', { outer: { data: undefined, summary: APP } }],
  ['a summary of Production', { outer: { data: undefined, summary: { ...APP, environment: 'Production' } } }],
  ['a summary beside data', { outer: { summary: { ...APP, bundleId: 'com.example.other' } } }],
  ['a token in place of data', { outer: { data: undefined, externalPurchaseToken: EXTERNAL } }],
  [
    'a token of Production',
    { outer: { data: undefined, externalPurchaseToken: { ...EXTERNAL, externalPurchaseId: '1' } } },
  ],
  ['a token of another app', { outer: { data: undefined, externalPurchaseToken: { ...EXTERNAL, appAppleId: 7 } } }],
  ['app data in place of data', { outer: { data: undefined, appData: APP } }],
  ['app data of another bundle', { outer: { data: undefined, appData: { ...APP, bundleId: 'x' } } }],
  ['a transaction of another bundle', { transaction: { bundleId: 'com.example.other' } }],
  ['a transaction of another environment', { transaction: { environment: 'LocalTesting' } }],
  ['a transaction date as text', { transaction: { expiresDate: '2026' } }],
  ['a percentage as text', { transaction: { revocationPercentage: '1' } }],
  ['a renewal of another environment', { renewal: { environment: 'LocalTesting' } }],
  ['a renewal status as text', { renewal: { autoRenewStatus: '1' } }],
  ['a retry as number', { renewal: { isInBillingRetryPeriod: 1 } }],
  ['no renewal information', { data: { signedRenewalInfo: undefined } }],
  ['no transaction', { data: { signedTransactionInfo: undefined } }],
  ['a transaction that is no token', { data: { signedTransactionInfo: 'odd' } }],
  ['a renewal below another root', { data: { signedRenewalInfo: signWith(chains.otherRoot, renewal) } }],
  ['a transaction below another root', { data: { signedTransactionInfo: signWith(chains.otherRoot, transaction) } }],
]

test('svc and the library agree on every variant of a notification', async () => {
  const disagreements: string[] = []
  for (const [name, story] of variants)
    for (const type of ['DID_RENEW', 'TEST', 'MOON_PHASE'])
      for (const target of ['Sandbox', 'Production'] as const) {
        const token = signed({ type, subtype: null, environment: target, ...story })
        const isAccepted = await isAcceptedByApple(token, target)
        if (isAccepted !== (await isAcceptedHere(token, target)))
          disagreements.push(`${name}, ${type} for ${target}: library ${isAccepted}`)
      }
  expect(disagreements).toEqual([])
}, 600_000)

test('svc and the library agree on every chain', async () => {
  const disagreements: string[] = []
  for (const [name, signer] of Object.entries(chains)) {
    if (REFUSED_HERE_ALONE.includes(name)) continue
    const token = signed({ type: 'DID_RENEW', subtype: null, environment: 'Sandbox' }, signer)
    const isAccepted = await isAcceptedByApple(token, 'Sandbox')
    if (isAccepted !== (await isAcceptedHere(token, 'Sandbox'))) disagreements.push(`${name}: library ${isAccepted}`)
  }
  expect(disagreements).toEqual([])
})

test('svc and the library agree on notifications put together at random', async () => {
  const kinds = fc.constantFrom(...PURCHASE_NOTIFICATIONS, ...OTHER_NOTIFICATIONS)
  const picks = fc.array(fc.constantFrom(...variants), { maxLength: 2 })
  const property = fc.asyncProperty(
    kinds,
    picks,
    fc.constantFrom(...environments),
    fc.constantFrom<Target>('Sandbox', 'Production'),
    async ([type, subtype], chosen, environment, target) => {
      const merged = chosen.reduce((story, [, next]) => merge(story, next), {} as Partial<Story>)
      const token = signed({ type, subtype, environment, ...merged })
      expect(await isAcceptedHere(token, target)).toBe(await isAcceptedByApple(token, target))
    },
  )
  await fc.assert(property, { seed: SEED, numRuns: 400 })
}, 600_000)

const merge = (a: Partial<Story>, b: Partial<Story>): Partial<Story> => ({
  outer: { ...a.outer, ...b.outer },
  data: { ...a.data, ...b.data },
  transaction: { ...a.transaction, ...b.transaction },
  renewal: { ...a.renewal, ...b.renewal },
})

const stricter: [name: string, story: Omit<Story, 'type' | 'subtype' | 'environment'>][] = [
  ['the notification has no id', { outer: { notificationUUID: undefined } }],
  ['the notification has an empty type', { outer: { notificationType: '' } }],
  ['the signing date is missing', { outer: { signedDate: undefined } }],
  ['the app id is not whole', { data: { appAppleId: 1.5 } }],
  ['the transaction has no id', { transaction: { transactionId: undefined } }],
  ['a percentage is above 100 %', { transaction: { revocationPercentage: 100_001 } }],
  ['the renewal is of another chain', { renewal: { originalTransactionId: '7' } }],
  ['the renewal has no status', { renewal: { autoRenewStatus: undefined } }],
]
for (const [name, story] of stricter)
  test(`svc alone refuses when ${name}`, async () => {
    const token = signed({ type: 'DID_RENEW', subtype: null, environment: 'Sandbox', ...story })
    expect(await isAcceptedByApple(token, 'Sandbox')).toBe(true)
    expect(await isAcceptedHere(token, 'Sandbox')).toBe(false)
  })
