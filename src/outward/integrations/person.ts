import type { StoredAttributes } from '../../people/subscribers/tables'
import type { DeviceIds, HashedSignals, Person } from './provider'
import { hashSignals } from './signals'
import type { Network } from './track-payload'

/** The members of a subscriber's row that are read. */
export interface KnownSubscriber {
  id: string
  appUserId: string | null
  attributes: StoredAttributes
  /** The published access. */
  toldAccess: Readonly<Record<string, unknown>>
}

const DEVICE_KEYS: { readonly [Name in keyof DeviceIds]: string } = {
  idfa: '$idfa',
  idfv: '$idfv',
  gpsAdId: '$gpsAdId',
  appsflyerId: '$appsflyerId',
  adjustId: '$adjustId',
  firebaseAppInstanceId: '$firebaseAppInstanceId',
  amplitudeDeviceId: '$amplitudeDeviceId',
}

/** Reserved attributes that a provider may see. All others, push tokens among them, stay here. */
const SHOWN_RESERVED = ['$email', '$phoneNumber', '$displayName']

interface Source {
  /** Null when the event has no person. */
  subscriber: KnownSubscriber | null
  /** Of a track event; they come before those of the subscriber. */
  signals: HashedSignals | null
  network: Network
}

/** What a provider may know of a person. Device ids are there only with consent (wire 5.10). */
export function toPerson({ subscriber, signals, network }: Source): Person {
  const attributes = subscriber?.attributes ?? {}
  const textOf = (key: string): string | null => attributes[key]?.value || null
  const hasConsent = textOf('$attConsentStatus') === 'authorized'
  const devices = mapDevices(textOf)
  const hasDevices = Object.values(devices).some((id) => id !== null)
  const own = hashSignals({
    email: textOf('$email'),
    phone: textOf('$phoneNumber'),
    externalId: subscriber && (subscriber.appUserId ?? subscriber.id),
  })
  return {
    subscriberId: subscriber?.id ?? null,
    appUserId: subscriber?.appUserId ?? null,
    access: Object.keys(subscriber?.toldAccess ?? {}).sort(),
    attributes: shownOf(attributes),
    mixpanelDistinctId: textOf('$mixpanelDistinctId'),
    amplitudeUserId: textOf('$amplitudeUserId'),
    signals: firstKnown(signals, own),
    devices: hasConsent ? devices : NO_DEVICES,
    hasConsent,
    hasHiddenDevices: hasDevices && !hasConsent,
    ...network,
  }
}

const mapDevices = (read: (key: string) => string | null): DeviceIds => ({
  idfa: read(DEVICE_KEYS.idfa),
  idfv: read(DEVICE_KEYS.idfv),
  gpsAdId: read(DEVICE_KEYS.gpsAdId),
  appsflyerId: read(DEVICE_KEYS.appsflyerId),
  adjustId: read(DEVICE_KEYS.adjustId),
  firebaseAppInstanceId: read(DEVICE_KEYS.firebaseAppInstanceId),
  amplitudeDeviceId: read(DEVICE_KEYS.amplitudeDeviceId),
})

const NO_DEVICES = mapDevices(() => null)

const shownOf = (attributes: StoredAttributes): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([key]) => !key.startsWith('$') || SHOWN_RESERVED.includes(key))
      .map(([key, { value }]) => [key, value]),
  )

const firstKnown = (first: HashedSignals | null, second: HashedSignals): HashedSignals => ({
  email: first?.email ?? second.email,
  phone: first?.phone ?? second.phone,
  externalId: first?.externalId ?? second.externalId,
  firstName: first?.firstName ?? second.firstName,
  lastName: first?.lastName ?? second.lastName,
  city: first?.city ?? second.city,
  country: first?.country ?? second.country,
})

/** The person of a test send: made-up values that every provider accepts. */
export const TEST_PERSON: Person = {
  subscriberId: 'svc_test_subscriber',
  appUserId: 'svc_test_user',
  access: [],
  attributes: {},
  mixpanelDistinctId: null,
  amplitudeUserId: null,
  signals: hashSignals({ email: 'test@example.com', externalId: 'svc_test_user' }),
  devices: {
    idfa: '00000000-0000-4000-8000-000000000001',
    idfv: '00000000-0000-4000-8000-000000000002',
    gpsAdId: '00000000-0000-4000-8000-000000000003',
    appsflyerId: '1000000000000-1000001',
    adjustId: '00000000000000000000000000000001',
    firebaseAppInstanceId: '00000000000000000000000000000001',
    amplitudeDeviceId: 'svc_test_device',
  },
  hasConsent: true,
  hasHiddenDevices: false,
  ip: null,
  userAgent: null,
}
