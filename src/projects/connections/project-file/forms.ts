import { canonicalJson } from '../../../base/lib/hash'
import { type UrlFault, urlFault } from '../../../base/lib/outgoing-url'
import type { Content } from '../../../core/project-file/content'
import { form, may, must, orNone } from '../../project-file/form'
import { SecretVariable } from '../../project-file/placeholders'
import type { Schema } from '../../project-file/reader'
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
  unique,
} from '../../project-file/reader'
import { readSecret, secret, type WantedSecret } from '../../project-file/secret'
import {
  type CredentialReason,
  checkIosPrivateKey,
  isIssuerId,
  isKeyId,
  MAX_FORWARDS,
  readServiceAccount,
} from '../credential-checks'
import type { StoreSection } from '../credentials'
import type { WantedStore } from './model'

/** How the settings of a store are read, and how saved ones are written: secrets as variables, never as they are. */
interface StoreForm {
  read: Read<WantedStore>
  write(config: Content): Content
}

const matching = (pattern: RegExp, complaint: string): Read<string> =>
  checkedText(255, (value) => (pattern.test(value) ? null : complaint))

const SHAPE_FAULTS: readonly UrlFault[] = ['malformed', 'scheme', 'userinfo', 'insecure']

const forwardUrl: Read<string> = (spot) => {
  const url = text(2048)(spot)
  // What only a deployment knows is checked with the plan: whether its own machine may be called.
  const reason = url === undefined ? null : urlFault(url, { isLoopbackAllowed: true })
  if (reason === null || !SHAPE_FAULTS.includes(reason)) return url
  return spot.fail('Notifications are forwarded to https addresses without userinfo', 'WEBHOOK_URL_REJECTED', {
    reason,
  })
}

const forwards = (store: 'ios' | 'android' | 'payment') =>
  may<string[]>(
    unique((spot) => {
      const isTooMany = spot.node.kind === 'list' && spot.node.items.length > MAX_FORWARDS
      if (!isTooMany) return list(forwardUrl, MAX_FORWARDS)(spot)
      const details = { store, max: MAX_FORWARDS }
      return spot.fail(`At most ${MAX_FORWARDS} addresses`, 'NOTIFICATION_FORWARD_LIMIT', details)
    }),
    [],
  )

const refuseCredential = (
  spot: Spot,
  store: 'ios' | 'android',
  field: string,
  reason: CredentialReason,
  message: string,
): undefined => spot.fail(message, 'STORE_CREDENTIALS_INVALID', { store, field, reason })

const keyPart =
  (field: string, isGood: (value: string) => boolean, complaint: string): Read<string> =>
  (spot) => {
    const value = text(255)(spot)
    if (value === undefined || isGood(value)) return value
    return refuseCredential(spot, 'ios', field, 'unreadable', complaint)
  }

const iosPrivateKey = secret((value, spot) => {
  const reason = checkIosPrivateKey(value)
  if (reason) refuseCredential(spot, 'ios', 'privateKey', reason, 'This must be an EC P-256 key as PKCS#8 PEM')
})

const IOS_KEY = form({
  keyId: must(keyPart('keyId', isKeyId, 'A key id has ten letters or digits'), ''),
  issuerId: must(keyPart('issuerId', isIssuerId, 'An issuer id is a UUID'), ''),
  privateKey: must(iosPrivateKey, { missing: '' }),
})

const IOS = form({
  bundleId: must(matching(/^[A-Za-z0-9.-]+$/, 'This must be a bundle id like com.example.app'), ''),
  appId: orNone(matching(/^\d{1,20}$/, 'This must be the numeric app id, in quotes')),
  inAppPurchaseKey: orNone(IOS_KEY),
  storeConnectKey: orNone(IOS_KEY),
  notificationForwards: forwards('ios'),
})

const ios: StoreForm = {
  read: object((members, spot) => {
    const { inAppPurchaseKey, storeConnectKey, ...config } = IOS.from(members, spot)
    const secrets: WantedStore['secrets'] = {}
    const keys = Object.entries({ inAppPurchaseKey, storeConnectKey }).map(([name, key]) => {
      if (key) secrets[`${name}.privateKey`] = key.privateKey
      return [name, key && { keyId: key.keyId, issuerId: key.issuerId }]
    })
    return { config: { ...config, ...Object.fromEntries(keys) }, secrets }
  }),
  write: ({ inAppPurchaseKey, storeConnectKey, notificationForwards, ...config }) => ({
    ...config,
    inAppPurchaseKey: iosKeyContent(inAppPurchaseKey, 'IOS_IN_APP_PURCHASE_KEY'),
    storeConnectKey: iosKeyContent(storeConnectKey, 'IOS_STORE_CONNECT_KEY'),
    notificationForwards,
  }),
}

function iosKeyContent(key: unknown, variable: string): Content | null {
  if (typeof key !== 'object' || key === null) return null
  const { keyId, issuerId } = key as Content
  return { keyId, issuerId, privateKey: new SecretVariable(variable) }
}

export const PACKAGE_NAME = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/

const SERVICE_ACCOUNT = 'This must be the JSON of a service account with client_email and private_key (RSA, PKCS#8 PEM)'

/** JSON text, or the document as a mapping. `clientEmail` is read from the document; null without a document. */
const serviceAccount: Read<{ clientEmail: string | null; secret: WantedSecret }> = (spot) => {
  if (spot.draws(() => ({ anyOf: [{ type: 'string', minLength: 1 }, { type: 'object' }] }))) return undefined
  const found = spot.node.kind === 'map' ? { value: JSON.stringify(toJson(spot.node)) } : readSecret(spot)
  if (found === undefined || 'missing' in found) return found && { clientEmail: null, secret: found }
  const account = readServiceAccount(found.value)
  if (typeof account !== 'string')
    return { clientEmail: account.clientEmail, secret: { value: canonicalJson(account.document) } }
  return refuseCredential(spot, 'android', 'serviceAccount', account, SERVICE_ACCOUNT)
}

const ANDROID = form({
  packageName: must(matching(PACKAGE_NAME, 'This must be a package name like com.example.app'), ''),
  serviceAccount: must(serviceAccount, { clientEmail: null, secret: { missing: '' } }),
  notificationForwards: forwards('android'),
})

const android: StoreForm = {
  read: object((members, spot) => {
    const { serviceAccount: account, ...config } = ANDROID.from(members, spot)
    return { config: { ...config, clientEmail: account.clientEmail }, secrets: { serviceAccount: account.secret } }
  }),
  write: ({ packageName, notificationForwards }) => ({
    packageName,
    serviceAccount: new SecretVariable('ANDROID_SERVICE_ACCOUNT'),
    notificationForwards,
  }),
}

const ACCOUNT = 'This must be the id of a connected account, like acct_1Nv0FGQ9RKHgCVdK'

/** Returns a text even when it fails, so that the file is not also refused because its own keys are missing. */
const connectedAccount: Read<string> = (spot) => matching(/^acct_\w+$/, ACCOUNT)(spot) ?? ''

const PAYMENT = form({
  mode: must(oneOf(['test', 'live']), 'test'),
  accountId: orNone(connectedAccount),
  /** With it the payment pages of funnels reach the provider from the browser. */
  publishableKey: orNone(matching(/^pk_(test|live)_\w{1,250}$/, 'This must be a publishable key like pk_live_51H…')),
  notificationForwards: forwards('payment'),
})

const apiSecret = secret((value) =>
  /^[\x21-\x7e]{1,500}$/.test(value) ? null : 'This secret must be 1 to 500 visible characters without spaces',
)

const OWN_KEYS = form({
  secretKey: must(apiSecret, { missing: '' }),
  webhookSecret: must(apiSecret, { missing: '' }),
})

const paymentMembers: Read<WantedStore> = object((members, spot) => {
  const config = PAYMENT.from(members, spot)
  return { config, secrets: config.accountId === null ? OWN_KEYS.from(members, spot) : withoutKeys(members) }
})

/** A connected account uses the platform's keys (`SVC_PAYMENT_CONNECT_…`). */
function withoutKeys(members: Members): WantedStore['secrets'] {
  for (const name of ['secretKey', 'webhookSecret'])
    members.take(name)?.fail('A connected account has no keys of its own here: leave this out, or leave out accountId')
  return {}
}

/** An account of its own has keys, and a connected one has none. */
const payment: StoreForm = {
  read: (spot) => {
    const found = paymentMembers(spot)
    const keys = [['accountId'], ['secretKey', 'webhookSecret']].map(needing)
    if (spot.sketch) spot.sketch.schema = { ...spot.sketch.schema, required: ['mode'], anyOf: keys }
    return found
  },
  write: ({ mode, accountId, ...config }) => ({
    mode,
    ...(accountId === null
      ? {
          secretKey: new SecretVariable('PAYMENT_SECRET_KEY'),
          webhookSecret: new SecretVariable('PAYMENT_WEBHOOK_SECRET'),
        }
      : { accountId }),
    ...config,
  }),
}

/** Strict validators take only members that the same schema names. */
const needing = (required: readonly string[]): Schema => ({
  properties: Object.fromEntries(required.map((name) => [name, {}])),
  required,
})

const REFUND_SHIELD = form({
  enabled: may(bool, false),
  delayMinutes: may(integer(0, 660), 60),
  policy: may<string>(oneOf(['decline', 'grant', 'neutral']), 'decline'),
  customerConsented: may(bool, false),
})

const rate = number(0, 1)

/** Fractions from 0 to 1. A store without a rate uses the built-in rates. */
const COMMISSION_RATES = form({ IOS_STORE: orNone(rate), ANDROID_STORE: orNone(rate), PAYMENT: orNone(rate) })

/** A section without secrets. */
const plain = (read: Read<Content>): StoreForm => ({
  read: (spot) => {
    const config = read(spot)
    return config && { config, secrets: {} }
  },
  write: (config) => config,
})

/** The sections under `stores`, in the order of the file. */
export const STORE_FORMS: Record<StoreSection, StoreForm> = {
  ios,
  android,
  payment,
  refundShield: plain(REFUND_SHIELD),
  commissionRates: plain(COMMISSION_RATES),
}
