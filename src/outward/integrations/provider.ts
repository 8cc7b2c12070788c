import type { Static, TObject } from '@sinclair/typebox'
import type { SkipReason } from '../deliveries/model'

export type ProviderKind = 'ADS' | 'ANALYTICS' | 'ATTRIBUTION' | 'LIFECYCLE' | 'CHAT'

/** One HTTP request to the provider's real address. The framework alone decides which address is called. */
export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Absolute, https. With `SVC_INTEGRATIONS_URL` the origin is replaced by that address and the provider's name. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** What a provider answered. At most 16 KiB of the body are kept. */
export interface ProviderAnswer {
  status: number
  body: string
}

/** Where an event comes from: the event feed, `POST /v1/events`, or a test send. */
export type EventSource = 'FEED' | 'TRACK' | 'TEST'

/** An event in the form that is the same for all sources. */
export interface OutEvent {
  source: EventSource
  /** Equal at each attempt and each repetition: use it where the provider removes duplicates. */
  id: string
  /** A type of wire 5.9, a track event's own type, or `integration.test`. */
  type: string
  /** Unix milliseconds. */
  occurredAt: number
  environment: 'PRODUCTION' | 'SANDBOX'
  /** Of the purchase, where there is one. */
  store: 'IOS_STORE' | 'ANDROID_STORE' | 'PAYMENT' | 'MANUAL' | null
  /** `ios` and `android` follow from the store; `web` is the payment provider. */
  platform: 'ios' | 'android' | 'web' | null
  /** Our product identifier, and that of the store. */
  productId: string | null
  storeProductId: string | null
  quantity: number
  /** `txn_…`, and the store's own id. */
  transactionId: string | null
  storeTransactionId: string | null
  purchaseId: string | null
  /** Page of a track event. */
  url: string | null
  /** Identifiers of the access levels that the subscriber holds after the event, sorted. */
  access: readonly string[]
  /** The event's own `data` (wire 5.9); empty for other sources. */
  data: Readonly<Record<string, unknown>>
}

export interface Money {
  amountMicros: number
  currency: string
  /** Null when the amount is in another currency whose rate is not known. */
  usdMicros: number | null
}

/** SHA-256 as lower-case hex of the normalised value (wire 5.10); null when it is not known. */
export interface HashedSignals {
  email: string | null
  phone: string | null
  externalId: string | null
  firstName: string | null
  lastName: string | null
  city: string | null
  country: string | null
}

/** Ids of devices and installs. All null unless `$attConsentStatus` is `authorized`. */
export interface DeviceIds {
  idfa: string | null
  idfv: string | null
  gpsAdId: string | null
  appsflyerId: string | null
  adjustId: string | null
  firebaseAppInstanceId: string | null
  amplitudeDeviceId: string | null
}

export interface Person {
  /** `sub_…`; null when the event has no person. */
  subscriberId: string | null
  /** The customer's own id for the person. */
  appUserId: string | null
  /**
   * Identifiers of the access levels that the person holds at the time of the attempt, sorted. A late attempt of an old
   * event must not undo what a newer one has reported.
   */
  access: readonly string[]
  /**
   * Attributes of the customer's own, and `$email`, `$phoneNumber`, `$displayName`. Never device ids or push tokens.
   */
  attributes: Readonly<Record<string, string>>
  /** Accounts of the person at analytics providers, which are no device ids. */
  mixpanelDistinctId: string | null
  amplitudeUserId: string | null
  signals: HashedSignals
  devices: DeviceIds
  /** Whether `$attConsentStatus` is `authorized`. */
  hasConsent: boolean
  /** Whether the person has device ids that the missing consent keeps back: then `no_consent` is the reason to skip. */
  hasHiddenDevices: boolean
  /** Only for providers of kind ADS, and only of track events. */
  ip: string | null
  userAgent: string | null
}

export interface MappingInput<Credentials> {
  credentials: Credentials
  event: OutEvent
  person: Person
  /** Null for events without money. Refunds have the amount that went back, as a positive number. */
  money: Money | null
  /** The name that the connection's `eventMapping` gives to this type; null when it has none. */
  mappedName: string | null
  includeSandbox: boolean
  /** Unix milliseconds. */
  now: number
}

/** All requests must succeed; they are made one after the other, all of them again at the next attempt. */
export type Mapped = { requests: readonly ProviderRequest[] } | { skip: SkipReason }

/** `retry` and `refused` are failed attempts, also when the status is 200. */
export type Verdict = 'ok' | 'retry' | 'refused'

/**
 * What is known of one provider: pure functions, no network, no database, no clock. Define it with `defineProvider`, in
 * a file of its own, and add it to the list in `registry.ts`.
 */
export interface Provider<Credentials = Readonly<Record<string, unknown>>> {
  /** As on the wire; in lower case it is the path of the stand-in below `SVC_INTEGRATIONS_URL`. */
  name: string
  /** The product's name for people. */
  title: string
  kind: ProviderKind
  /** A project may have several connections. */
  isRepeatable: boolean
  /** Strict (`additionalProperties: false`). `region`, `endpoint` and `eventTokens` are members of the credentials. */
  credentials: TObject
  /** Members that are never shown, not even in what a provider answered. */
  secrets: readonly (keyof Credentials & string)[]
  /**
   * What a person recognises the connection by: only an end of a value (`endOf`), never more than 4 characters of it.
   */
  hint(credentials: Credentials): string
  /** Addresses among the credentials; each is checked like the address of a webhook (`WEBHOOK_URL_REJECTED`). */
  addressesOf?(credentials: Credentials): readonly string[]
  /** The fault of the credentials, found without a call; a word such as `wrong_host`, or null. */
  faultOf?(credentials: Credentials): string | null
  /**
   * Requests that show whether the provider accepts the credentials and that record nothing. Empty if there is none.
   */
  probe(credentials: Credentials): readonly ProviderRequest[]
  /**
   * Why the answer to a probe refuses the credentials, a word such as `unauthorized`; null when it accepts them.
   * `undefined` leaves the decision to the status: see `probeReason`.
   */
  judgeProbe?(answer: ProviderAnswer): string | null | undefined
  /** Whether a type of wire 5.9 can be sent without `eventMapping`. Others are skipped with `no_mapping`. */
  hasMapping(type: string): boolean
  /** `input.event.type` is one for which `hasMapping` is true, one with a `mappedName`, or `integration.test`. */
  map(input: MappingInput<Credentials>): Mapped
  /** For providers whose status alone does not tell. By default 2xx is `ok`, and the rest is tried again. */
  judge?(answer: ProviderAnswer): Verdict
}

/** Gives `map`, `probe` and the others the type of the credentials' schema. */
export const defineProvider = <Schema extends TObject>(
  provider: Omit<Provider<Static<Schema>>, 'credentials'> & { credentials: Schema },
): Provider => provider
