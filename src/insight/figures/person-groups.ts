import { countryCode } from '../../base/lib/countries'
import { knownPlatform } from '../../people/subscribers/device-key'
import type { StoredAttributes } from '../../people/subscribers/tables'
import type { Store } from '../../stores/observation'

/** Country and platform of a purchase. */
export interface PersonGroups {
  country: string | null
  platform: string | null
}

/**
 * The groups that the attributes of an owner name. Any device can send any text, so only a country of ISO 3166-1 and one
 * of the three platforms is a group: another country counts as none, and another platform as that of the store.
 */
export const personGroups = ({ country, platform }: StoredAttributes, store: Store): PersonGroups => ({
  country: countryCode(country?.value ?? ''),
  platform: knownPlatform(platform?.value ?? '') ?? PLATFORM[store],
})

/** Where a purchase was made, when the app did not say. */
const PLATFORM = { IOS_STORE: 'ios', ANDROID_STORE: 'android', PAYMENT: 'web', MANUAL: null } as const

/** The group of a country or a platform that an entry names. */
export function knownPersonGroup(name: keyof PersonGroups, value: string, store: Store): string | null {
  return name === 'country' ? countryCode(value) : (knownPlatform(value) ?? PLATFORM[store])
}
