// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of project files have this form.
import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { parseProjectFile } from '../../project-file/parse'
import { NOTHING, wantedIn } from '../../project-file/parse.fixtures'
import type { Sources } from '../../project-file/reader'
import { STORES } from './model'
import { storeSection } from './section'

/** The stores of a file without problems, by section. */
const storesOf = (text: string, sources = NOTHING) =>
  Object.fromEntries(wantedIn([storeSection], STORES, text, sources)?.map(({ name, state }) => [name, state]) ?? [])

describe('store credentials', () => {
  const pem = (type: 'P-256' | 'P-384' | 'rsa'): string => {
    const { privateKey } =
      type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: type })
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
  const IOS =
    'version: 1\nstores:\n  ios:\n    bundleId: com.x\n    inAppPurchaseKey: { keyId: ABC123DEFG, issuerId: 57246542-96fe-1a63-e053-0824d011072a, privateKey: "${file:./k.p8}" }'
  const ANDROID = 'version: 1\nstores:\n  android: { packageName: com.x, serviceAccount: "${env:ACCOUNT}" }'
  const from = (text: string | null): Sources => ({ env: () => text, file: () => text })
  const refused = (text: string, sources: Sources) => {
    const parsed = parseProjectFile([storeSection], text, sources)
    return 'unreadable' in parsed ? [] : parsed.problems.map(({ code, details }) => [code, details])
  }

  test('a connected account of the payment provider has no secrets', () => {
    const text = 'version: 1\nstores:\n  payment: { mode: live, accountId: acct_1Nv0FGQ9RKHgCVdK }'
    expect(storesOf(text).payment).toEqual({
      config: { mode: 'live', accountId: 'acct_1Nv0FGQ9RKHgCVdK', publishableKey: null, notificationForwards: [] },
      secrets: {},
    })
  })

  test('a key of the iOS store is an EC P-256 key as PKCS#8', () => {
    const key = pem('P-256')
    expect(storesOf(IOS, from(key)).ios).toEqual({
      config: {
        bundleId: 'com.x',
        appId: null,
        inAppPurchaseKey: { keyId: 'ABC123DEFG', issuerId: '57246542-96fe-1a63-e053-0824d011072a' },
        storeConnectKey: null,
        notificationForwards: [],
      },
      secrets: { 'inAppPurchaseKey.privateKey': { value: key.trim() } },
    })
    for (const [text, reason] of [
      [pem('P-384'), 'wrong_key_type'],
      [pem('rsa'), 'wrong_key_type'],
      ['no key', 'unreadable'],
    ] as const)
      expect(refused(IOS, from(text))).toEqual([
        ['STORE_CREDENTIALS_INVALID', { store: 'ios', field: 'privateKey', reason }],
      ])
  })

  test('key id and issuer keep to their form', () => {
    const text = IOS.replace('ABC123DEFG', 'ABC').replace('57246542-96fe', 'x')
    expect(refused(text, from(null))).toEqual([
      ['STORE_CREDENTIALS_INVALID', { store: 'ios', field: 'keyId', reason: 'unreadable' }],
      ['STORE_CREDENTIALS_INVALID', { store: 'ios', field: 'issuerId', reason: 'unreadable' }],
    ])
  })

  test('a service account is JSON with an RSA key, as text or in the file itself', () => {
    const account = { client_email: 'a@x.iam', private_key: pem('rsa') }
    const stores = storesOf(ANDROID, from(JSON.stringify(account)))
    expect(stores.android?.config.clientEmail).toBe('a@x.iam')
    const inline = `version: 1\nstores:\n  android: { packageName: com.x, serviceAccount: ${JSON.stringify(account)} }`
    expect(storesOf(inline)).toEqual(stores)
    const bad: [string, string][] = [
      ['{', 'unreadable'],
      ['{}', 'missing'],
      [JSON.stringify({ ...account, private_key: 'x' }), 'unreadable'],
      [JSON.stringify({ ...account, private_key: pem('P-256') }), 'wrong_key_type'],
    ]
    for (const [text, reason] of bad)
      expect(refused(ANDROID, from(text))).toEqual([
        ['STORE_CREDENTIALS_INVALID', { store: 'android', field: 'serviceAccount', reason }],
      ])
  })

  test('a placeholder that leads nowhere is not a problem', () => {
    expect(storesOf(IOS, from(null)).ios?.secrets).toEqual({
      'inAppPurchaseKey.privateKey': { missing: './k.p8 cannot be read' },
    })
    expect(storesOf(ANDROID, from('  ')).android?.secrets).toEqual({
      serviceAccount: { missing: 'ACCOUNT is not set' },
    })
  })
})
