import { type UrlFault, urlFault } from '../../../base/lib/outgoing-url'
import type { Wanted } from '../../project-file/model'
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
} from '../../project-file/reader'
import type { Sources, WantedSecret } from '../../project-file/secret'
import { MAX_FORWARDS } from '../credential-checks'
import type { StoreSection } from '../credentials'
import type { WantedStore } from './model'
import { apiSecret, iosKey, serviceAccount } from './parse-credentials'

type Store = 'ios' | 'android' | 'payment'

/** The sections under `stores`; placeholders are read from `sources`. */
export const parseStores = (spot: Spot, sources: Sources): Wanted<WantedStore>[] | undefined =>
  object((members) => {
    const readers: Record<StoreSection, Read<WantedStore>> = {
      ios: ios(sources),
      android: android(sources),
      payment: payment(sources),
      refundShield,
      commissionRates,
    }
    return Object.entries(readers).flatMap(([name, read]): Wanted<WantedStore>[] => {
      const state = members.optional<WantedStore | null>(name, read, null)
      return state === null ? [] : [{ name, was: null, path: [...spot.path, name], state }]
    })
  })(spot)

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

export const PACKAGE_NAME = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/

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

/** An account of its own has keys, and a connected one has none. */
const payment =
  (sources: Sources): Read<WantedStore> =>
  (spot) => {
    const found = paymentMembers(sources)(spot)
    const keys = [{ required: ['accountId'] }, { required: ['secretKey', 'webhookSecret'] }]
    if (spot.sketch) spot.sketch.schema = { ...spot.sketch.schema, required: ['mode'], anyOf: keys }
    return found
  }

const paymentMembers = (sources: Sources): Read<WantedStore> =>
  object((members) => {
    const mode = members.required<'test' | 'live'>('mode', oneOf(['test', 'live']), 'test')
    const accountId = members.optional<string | null>('accountId', connectedAccount, null)
    const secrets = accountId === null ? ownKeys(members, sources) : withoutKeys(members)
    return { config: { mode, accountId, notificationForwards: forwards(members, 'payment') }, secrets }
  })

const ACCOUNT = 'This must be the id of a connected account, like acct_1Nv0FGQ9RKHgCVdK'

/** Returns a text even when it fails, so that the file is not also refused because its own keys are missing. */
const connectedAccount: Read<string> = (spot) => matching(/^acct_\w+$/, ACCOUNT)(spot) ?? ''

const ownKeys = (members: Members, sources: Sources): WantedStore['secrets'] => ({
  secretKey: members.required('secretKey', apiSecret(sources), { missing: '' }),
  webhookSecret: members.required('webhookSecret', apiSecret(sources), { missing: '' }),
})

/** A connected account uses the platform's keys (`SVC_PAYMENT_CONNECT_…`). */
function withoutKeys(members: Members): WantedStore['secrets'] {
  for (const name of ['secretKey', 'webhookSecret'])
    members.take(name)?.fail('A connected account has no keys of its own here: leave this out, or leave out accountId')
  return {}
}

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

/** Fractions from 0 to 1. A store without a rate uses the built-in rates. */
const commissionRates: Read<WantedStore> = object((members) => ({
  config: {
    IOS_STORE: members.optional<number | null>('IOS_STORE', rate, null),
    ANDROID_STORE: members.optional<number | null>('ANDROID_STORE', rate, null),
    PAYMENT: members.optional<number | null>('PAYMENT', rate, null),
  },
  secrets: {},
}))
