import type { ImportKind, ImportMapping } from '../model'
import { CANONICAL, type Canonical } from './canonical'

export const PRESETS = [
  'svc',
  'svc_subscribers',
  'android_tokens',
  'revenuecat_v5',
  'revenuecat_receipts',
  'adapty_history',
] as const
export type PresetName = (typeof PRESETS)[number]

/** How the store of a row is found when no column names it. `PERSON`: the rows are about people, not about purchases. */
export type StoreRule = 'NONE' | 'ANDROID' | 'BY_COLUMN' | 'BY_VALUE' | 'PERSON'

/** The form of attributes in a file. */
export type AttributeForm = 'PLAIN' | 'VALUE_MEMBERS' | 'DICTIONARY'

export interface Preset {
  name: PresetName
  kind: ImportKind
  isOf(headers: ReadonlySet<string>): boolean
  /** Canonical column → its headers; the first one that the file has. */
  columns: Readonly<Partial<Record<Canonical, readonly string[]>>>
  stores: Readonly<Record<string, string>>
  storeRule: StoreRule
  attributes: AttributeForm
}

const REVENUECAT_STORES = {
  ...{ app_store: 'ios_store', mac_app_store: 'ios_store', play_store: 'android_store' },
  ...{ stripe: 'payment', rc_billing: 'payment', promotional: 'promotional' },
}

/** What a table of subscribers has that `svc export-data` has written. */
const SUBSCRIBER_COLUMNS = ['app_user_id', 'device_key', 'first_seen_at', 'merged_into', 'erased_at']

/** What a table of purchases has that `svc export-data` has written. */
const PURCHASE_COLUMNS = ['subscriberExternalId', 'deviceKey', 'subscriber_id', 'store_product_id', 'store_event_at']

/** Whether `svc export-data` has written a file with these columns. */
export const isOwnExport = (headers: readonly string[]): boolean =>
  [SUBSCRIBER_COLUMNS, PURCHASE_COLUMNS].some((names) => names.every((name) => headers.includes(name)))

/** In the order in which they are tried. */
const ALL: readonly Preset[] = [
  {
    name: 'svc',
    kind: 'HISTORY',
    isOf: (headers) =>
      ['subscriberExternalId', 'store', 'productIdentifier', 'purchaseDate'].every((name) => headers.has(name)),
    columns: Object.fromEntries(CANONICAL.map((name) => [name, [name]])),
    stores: {},
    storeRule: 'NONE',
    attributes: 'PLAIN',
  },
  {
    name: 'svc_subscribers',
    kind: 'HISTORY',
    isOf: (headers) => SUBSCRIBER_COLUMNS.every((name) => headers.has(name)),
    columns: {
      subscriberExternalId: ['app_user_id'],
      deviceKey: ['device_key'],
      attributes: ['attributes'],
      firstSeenAt: ['first_seen_at'],
      lastSeenAt: ['last_seen_at'],
      updatedAt: ['updated_at'],
    },
    stores: {},
    storeRule: 'PERSON',
    attributes: 'PLAIN',
  },
  {
    name: 'android_tokens',
    kind: 'ANDROID_TOKEN_ENRICHMENT',
    isOf: (headers) =>
      headers.size === 3 &&
      headers.has('user_id') &&
      ['android', 'google'].some((by) => headers.has(`${by}_purchase_token`) && headers.has(`${by}_product_id`)),
    columns: {
      subscriberExternalId: ['user_id'],
      purchaseToken: ['android_purchase_token', 'google_purchase_token'],
      productIdentifier: ['android_product_id', 'google_product_id'],
    },
    stores: {},
    storeRule: 'ANDROID',
    attributes: 'PLAIN',
  },
  {
    name: 'revenuecat_v5',
    kind: 'HISTORY',
    isOf: (headers) => headers.has('rc_original_app_user_id') && headers.has('store_transaction_id'),
    columns: {
      subscriberExternalId: ['rc_last_seen_app_user_id_alias', 'rc_original_app_user_id'],
      store: ['store'],
      productIdentifier: ['product_identifier'],
      purchaseDate: ['start_time'],
      expiresDate: ['end_time'],
      gracePeriodExpiresDate: ['grace_period_end_time'],
      storeTransactionId: ['store_transaction_id'],
      originalTransactionId: ['original_store_transaction_id'],
      refundedAt: ['refunded_at'],
      cancelledAt: ['unsubscribe_detected_at'],
      billingIssueAt: ['billing_issues_detected_at'],
      isTrial: ['is_trial_period'],
      isIntroOffer: ['is_in_intro_offer_period'],
      isSandbox: ['is_sandbox'],
      autoRenews: ['is_auto_renewable'],
      autoResumeAt: ['auto_resume_time'],
      price: ['purchase_price_in_purchased_currency'],
      currency: ['purchased_currency'],
      country: ['country'],
      ownershipType: ['ownership_type'],
      renewalNumber: ['renewal_number'],
      attributes: ['custom_subscriber_attributes'],
      firstSeenAt: ['first_seen_time'],
      offerId: ['offer'],
      updatedAt: ['updated_at'],
      entitlements: ['entitlement_identifiers'],
    },
    stores: REVENUECAT_STORES,
    storeRule: 'NONE',
    attributes: 'VALUE_MEMBERS',
  },
  {
    name: 'revenuecat_receipts',
    kind: 'HISTORY',
    isOf: (headers) =>
      headers.has('app_user_id') && ['receipt', 'token', 'subscription_token'].some((name) => headers.has(name)),
    columns: {
      subscriberExternalId: ['app_user_id'],
      productIdentifier: ['product_id'],
      storeTransactionId: ['order_id'],
      receipt: ['receipt'],
      purchaseToken: ['token'],
      providerId: ['subscription_token'],
    },
    stores: {},
    storeRule: 'BY_VALUE',
    attributes: 'PLAIN',
  },
  {
    name: 'adapty_history',
    kind: 'HISTORY',
    isOf: (headers) =>
      headers.has('user_id') &&
      ['apple_original_transaction_id', 'google_purchase_token', 'stripe_token'].some((name) => headers.has(name)),
    columns: {
      subscriberExternalId: ['user_id'],
      originalTransactionId: ['apple_original_transaction_id'],
      purchaseToken: ['google_purchase_token'],
      productIdentifier: ['google_product_id'],
      isSubscription: ['google_is_subscription'],
      providerId: ['stripe_token'],
      expiresDate: ['subscription_expiration_date'],
      firstSeenAt: ['created_at'],
      lastSeenAt: ['last_seen'],
      email: ['email'],
      country: ['country'],
      attributes: ['custom_attributes'],
    },
    stores: {},
    storeRule: 'BY_COLUMN',
    attributes: 'DICTIONARY',
  },
]

/** The first preset whose columns the file has; null = none. */
export function recognisePreset(headers: readonly string[]): Preset | null {
  const names = new Set(headers)
  return ALL.find(({ isOf }) => isOf(names)) ?? null
}

export const presetOf = (name: string | null): Preset | null => ALL.find((preset) => preset.name === name) ?? null

/** The mapping that a preset proposes for the columns of a file. */
export function proposeMapping({ columns, stores }: Preset, headers: readonly string[]): ImportMapping {
  const found = Object.entries(columns).flatMap(([name, candidates]) => {
    const header = candidates.find((candidate) => headers.includes(candidate))
    return header === undefined ? [] : [[name, header] as const]
  })
  return {
    columns: Object.fromEntries(found),
    valueMap: Object.keys(stores).length === 0 ? {} : { store: { ...stores } },
  }
}
