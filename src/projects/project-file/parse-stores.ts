import { canonicalJson } from '../../lib/hash'
import {
  type CredentialReason,
  checkForwardUrl,
  checkIosPrivateKey,
  isIssuerId,
  isKeyId,
  MAX_FORWARDS,
  readServiceAccount,
} from '../credential-checks'
import type { StoreSection } from '../credentials'
import type { ProjectFile, WantedSecret, WantedStore } from './model'
import {
  bool,
  checkedText,
  integer,
  list,
  type Members,
  number,
  object,
  oneOf,
  type Read,
  type Spot,
  text,
  toJson,
} from './reader'
import { readSecret, type Sources } from './secret'

type Store = 'ios' | 'android' | 'payment'

/** The sections under `stores`; placeholders are read from `sources`. */
export const storesSection = (sources: Sources): Read<NonNullable<ProjectFile['stores']>> =>
  object((members) => {
    const readers = {
      ios: ios(sources),
      android: android(sources),
      payment: payment(sources),
      refundShield,
      commissionRates,
    }
    const stores: Partial<Record<StoreSection, WantedStore>> = {}
    for (const [name, read] of Object.entries(readers) as [StoreSection, Read<WantedStore>][]) {
      const store = members.optional<WantedStore | null>(name, read, null)
      if (store !== null) stores[name] = store
    }
    return stores
  })

const matching = (pattern: RegExp, complaint: string): Read<string> =>
  checkedText(255, (value) => (pattern.test(value) ? null : complaint))

const ios = (sources: Sources): Read<WantedStore> =>
  object((members) => {
    const bundleId = members.required(
      'bundleId',
      matching(/^[A-Za-z0-9.-]+$/, 'This must be a bundle id like com.example.app'),
      '',
    )
    const appId = members.optional<string | null>(
      'appId',
      matching(/^\d{1,20}$/, 'This must be the numeric app id, in quotes'),
      null,
    )
    const secrets: Record<string, WantedSecret> = {}
    const inAppPurchaseKey = iosKey(members, 'inAppPurchaseKey', sources, secrets)
    const storeConnectKey = iosKey(members, 'storeConnectKey', sources, secrets)
    const config = {
      bundleId,
      appId,
      inAppPurchaseKey,
      storeConnectKey,
      notificationForwards: forwards(members, 'ios'),
    }
    return { config, secrets }
  })

interface IosKey {
  keyId: string
  issuerId: string
}

/** The showable part of a key of the iOS store; its private key joins `secrets`. */
function iosKey(
  members: Members,
  name: string,
  sources: Sources,
  secrets: Record<string, WantedSecret>,
): IosKey | null {
  const key = object((parts) => ({
    keyId: parts.required('keyId', credential('ios', 'keyId', isKeyId, 'A key id has ten letters or digits'), ''),
    issuerId: parts.required('issuerId', credential('ios', 'issuerId', isIssuerId, 'An issuer id is a UUID'), ''),
    privateKey: parts.required('privateKey', iosPrivateKey(sources), { missing: '' }),
  }))
  const found = members.optional<ReturnType<typeof key> | null>(name, key, null)
  if (!found) return null
  secrets[`${name}.privateKey`] = found.privateKey
  return { keyId: found.keyId, issuerId: found.issuerId }
}

const credential =
  (store: Store, field: string, isGood: (value: string) => boolean, complaint: string): Read<string> =>
  (spot) => {
    const value = text(255)(spot)
    if (value === undefined || isGood(value)) return value
    return refuseCredential(spot, store, field, 'unreadable', complaint)
  }

const refuseCredential = (
  spot: Spot,
  store: Store,
  field: string,
  reason: CredentialReason,
  message: string,
): undefined => spot.fail(message, 'STORE_CREDENTIALS_INVALID', { store, field, reason })

const iosPrivateKey =
  (sources: Sources): Read<WantedSecret> =>
  (spot) => {
    const secret = readSecret(spot, sources)
    const reason = secret && 'value' in secret ? checkIosPrivateKey(secret.value) : null
    if (reason === null) return secret
    return refuseCredential(spot, 'ios', 'privateKey', reason, 'This must be an EC P-256 key as PKCS#8 PEM')
  }

const PACKAGE_NAME = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/

const android = (sources: Sources): Read<WantedStore> =>
  object((members) => {
    const packageName = members.required(
      'packageName',
      matching(PACKAGE_NAME, 'This must be a package name like com.example.app'),
      '',
    )
    const account = members.required('serviceAccount', serviceAccount(sources), {
      clientEmail: null,
      secret: { missing: '' },
    })
    const config = { packageName, clientEmail: account.clientEmail, notificationForwards: forwards(members, 'android') }
    return { config, secrets: { serviceAccount: account.secret } }
  })

/** JSON text or the document itself. `clientEmail` is read out of the document, so it is null when that is not there. */
const serviceAccount =
  (sources: Sources): Read<{ clientEmail: string | null; secret: WantedSecret }> =>
  (spot) => {
    const secret = spot.node.kind === 'map' ? { value: JSON.stringify(toJson(spot.node)) } : readSecret(spot, sources)
    if (secret === undefined || 'missing' in secret) return secret && { clientEmail: null, secret }
    const account = readServiceAccount(secret.value)
    if (typeof account !== 'string')
      return { clientEmail: account.clientEmail, secret: { value: canonicalJson(account.document) } }
    return refuseCredential(spot, 'android', 'serviceAccount', account, SERVICE_ACCOUNT)
  }

const SERVICE_ACCOUNT = 'This must be the JSON of a service account with client_email and private_key (RSA, PKCS#8 PEM)'

const payment = (sources: Sources): Read<WantedStore> =>
  object((members) => {
    const mode = members.required<'test' | 'live'>('mode', oneOf(['test', 'live']), 'test')
    const secretKey = members.required('secretKey', apiSecret(sources), { missing: '' })
    const webhookSecret = members.required('webhookSecret', apiSecret(sources), { missing: '' })
    return {
      config: { mode, notificationForwards: forwards(members, 'payment') },
      secrets: { secretKey, webhookSecret },
    }
  })

const apiSecret =
  (sources: Sources): Read<WantedSecret> =>
  (spot) => {
    const secret = readSecret(spot, sources)
    if (!secret || 'missing' in secret || /^[\x21-\x7e]{1,500}$/.test(secret.value)) return secret
    return spot.fail('This secret must be 1 to 500 visible characters without spaces')
  }

const forwardUrl: Read<string> = (spot) => {
  const url = text(2048)(spot)
  const reason = url === undefined ? null : checkForwardUrl(url)
  if (reason === null) return url
  return spot.fail('Notifications are forwarded to https addresses without userinfo', 'WEBHOOK_URL_REJECTED', {
    reason,
  })
}

function forwards(members: Members, store: Store): string[] {
  const read: Read<string[]> = (spot) => {
    const isTooMany = spot.node.kind === 'list' && spot.node.items.length > MAX_FORWARDS
    if (!isTooMany) return list(forwardUrl, MAX_FORWARDS)(spot)
    return spot.fail(`At most ${MAX_FORWARDS} addresses`, 'NOTIFICATION_FORWARD_LIMIT', { store, max: MAX_FORWARDS })
  }
  return [...new Set(members.optional('notificationForwards', read, []))]
}

const refundShield: Read<WantedStore> = object((members) => ({
  config: {
    enabled: members.optional('enabled', bool, false),
    delayMinutes: members.optional('delayMinutes', integer(0, 660), 60),
    policy: members.optional<string>('policy', oneOf(['decline', 'grant', 'neutral']), 'decline'),
    customerConsented: members.optional('customerConsented', bool, false),
  },
  secrets: {},
}))

const rate: Read<number> = number(0, 1)

/** Fractions; a store without one keeps the built-in rates. */
const commissionRates: Read<WantedStore> = object((members) => ({
  config: {
    IOS_STORE: members.optional<number | null>('IOS_STORE', rate, null),
    ANDROID_STORE: members.optional<number | null>('ANDROID_STORE', rate, null),
    PAYMENT: members.optional<number | null>('PAYMENT', rate, null),
  },
  secrets: {},
}))
