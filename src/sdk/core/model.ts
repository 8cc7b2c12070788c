import type { Clock, Fetch, Random } from './globals'

export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

export type Log = (level: 'error' | 'warn' | 'debug', message: unknown) => void

/** Where the client keeps what survives a restart. Each function may answer at once or with a promise. */
export interface Storage {
  get(key: string): string | null | undefined | Promise<string | null | undefined>
  set(key: string, text: string): unknown
  remove(key: string): unknown
}

export interface Options {
  /** The public key of the project, `svc_pub_…`. */
  apiKey: string
  /** Where the server is, `https://…`. */
  baseUrl: string
  /** Default `warn`. */
  logLevel?: LogLevel
  /** The version of your app; it is reported with sessions. */
  appVersion?: string
  /** Default: the local storage of a browser, elsewhere memory. */
  storage?: Storage
  fetch?: Fetch
  crypto?: Random
  clock?: Clock
}

/**
 * What the project has. Empty, so that any name is allowed; the file that `svc types` writes adds the names of your
 * project, and other names do not compile then.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add members to it.
export interface Project {}

type Names<Kind extends string> = Project extends Record<Kind, infer Name extends string> ? Name : string

export type AccessId = Names<'access'>
export type OfferingId = Names<'offerings'>
export type PlacementId = Names<'placements'>
export type CurrencyCode = Names<'currencies'>
export type FlagKey = Project extends { flags: infer Flags } ? keyof Flags & string : string
export type ExperimentKey = Project extends { experiments: infer Tests } ? keyof Tests & string : string
/** The type of a flag, or of its default where the project is not known. */
export type FlagValue<Key extends string, Fallback> = Project extends { flags: infer Flags }
  ? Flags[Key & keyof Flags]
  : Fallback
export type VariantId<Key extends string> = Project extends { experiments: infer Tests }
  ? Tests[Key & keyof Tests] & string
  : string

/** Who uses the app: the permanent id of this install, and your own id for the person after `identify`. */
export interface CurrentUser {
  deviceKey: string
  appUserId: string | null
}

/** A value and where it comes from. */
export interface Read<T> {
  value: T
  /** True when the server could not be asked, so that this is the last value that was read. */
  isStale: boolean
  /** When the value was read, in milliseconds. */
  fetchedAt: number
}

export interface Entitlement {
  id: AccessId
  isActive: boolean
  productIdentifier: string
  store: string
  /** When it ends; absent when it does not end. */
  expiresIso?: string | undefined
}

export interface StoreProduct {
  id: string
  type: 'subscription' | 'consumable' | 'non_consumable'
  displayName: string
  /** The prices come from the store of the device, so they are null here. */
  priceString: string | null
  price: number | null
  currencyCode: string | null
}

export interface Package {
  identifier: string
  product: StoreProduct
  storeIds: { ios: string | null; android: string | null; payment: string | null }
  androidBasePlanId: string | null
  androidOfferId: string | null
  isPromoted: boolean
  metadata: unknown
}

export interface Offering {
  identifier: string
  isDefault: boolean
  packages: Package[]
  metadata: unknown
}

export interface Offerings {
  /** The default offering. */
  current: Offering | null
  all: Partial<Record<OfferingId, Offering>>
}

/** The variant of an experiment that the user is in. */
export interface Assignment<Variant extends string = string> {
  experimentId: string
  key: string
  variantId: Variant
  variantName: string
  value: unknown
}

export interface Config {
  flags: Record<string, unknown>
  experiments: Record<string, Assignment>
}

/** The document of a funnel, as the server sends it. */
export interface Funnel {
  id: string
  presentedContext?: Record<string, unknown>
  [member: string]: unknown
}

export interface Placement {
  /** Null when the placement is unknown or no longer used. */
  placement: { identifier: string; revision: number } | null
  /** Null when nothing is shown. */
  funnel: Funnel | null
  /** The experiment through which the funnel was chosen. */
  experiment: { id: string; key: string; variantId: string } | null
  /** The offering that is shown instead of a funnel. */
  offering: Offering | null
}

export type Balances = Partial<Record<CurrencyCode, number>>

export interface TrackedEvent {
  eventType: string
  /** ISO 8601; default now. */
  occurredAt?: string
  productId?: string
  /** Decimal text, for example `9.99`. */
  amount?: string
  /** ISO 4217. */
  currency?: string
  eventSourceUrl?: string
  identityContext?: Record<string, string>
}

export interface Receipt {
  store: 'ios' | 'android'
  /** iOS: the signed transaction of StoreKit 2. Android: the purchase token. */
  receipt: string
  productId: string
  appAccountToken?: string
}

export interface PurchaseResult {
  entitlements: Entitlement[]
  virtualCurrencies: Balances
  productId: string
  storeTransactionId: string
  /** True while the store waits for the payment or its approval. */
  isDeferred: boolean
}

export interface FunnelClaim {
  subscriberId: string
  funnelAnswers: Record<string, unknown>
}

export interface InstallFacts {
  platform: 'ios' | 'android'
  locale?: string
  timezone?: string
  screenDims?: string
  deviceModel?: string
  /** As Google Play hands it over. */
  installReferrer?: string
}

export type ChangeType =
  | 'ENTITLEMENTS_CHANGED'
  | 'IDENTITY_CHANGED'
  | 'VIRTUAL_CURRENCIES_CHANGED'
  | 'REMOTE_CONFIG_CHANGED'

export interface Change {
  type: ChangeType
  at: number
}

/** What `dehydrate` gives and `hydrate` takes. */
export type DehydratedState = { config?: Kept | undefined; offerings?: Kept | undefined }

/** A part of the answers as it is kept: what the server sent, and when. */
export interface Kept {
  data: unknown
  at: number
}
