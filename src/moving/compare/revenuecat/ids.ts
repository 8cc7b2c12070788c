import type { SubscriberRow } from '../../../people/subscribers/service'
import { firstDeviceKey } from '../../../people/subscribers/service'

/** Ids that the vendor answers with an error, in lower case. */
const REFUSED = new Set([
  ...['', 'no_user', 'null', 'none', 'nil', '(null)', 'nan', 'unidentified', 'undefined', 'unknown', 'anonymous'],
  ...['guest', '-1', '0', '[]', '{}', '[object object]'],
  ...['.', '..'], // They mean another path.
])

const MAX_LENGTH = 100
const ANONYMOUS = /^\$RCAnonymousID:[0-9a-f]{32}$/i

export const isRefusedId = (id: string): boolean => id.length > MAX_LENGTH || REFUSED.has(id.trim().toLowerCase())

/** An id of the import whose file had no device key. */
const IMPORTED = 'import:'

/** A key that the vendor's SDK brought to this server. */
const OF_SDK = /^rc:(?=\$)/

/** Asking for more ids of one person costs more than it can find. */
const MAX_IDS = 5

export interface VendorIds {
  /** The label first. Empty = the vendor cannot know the person by any id that we have. */
  ids: string[]
  /** Whether the person has an id that the vendor refuses, and no other. */
  isRefused: boolean
}

/** The ids under which the vendor may know a person: the label, and device keys that the vendor has given out. */
export function vendorIds(rows: readonly Pick<SubscriberRow, 'appUserId' | 'deviceKey'>[]): VendorIds {
  const labels = rows.flatMap(({ appUserId }) => (appUserId === null ? [] : [appUserId]))
  const keys = rows.map(firstDeviceKey)
  const given = keys.map((key) => key.replace(OF_SDK, '')).filter((key) => ANONYMOUS.test(key))
  const imported = keys.filter((key) => key.startsWith(IMPORTED)).map((key) => key.slice(IMPORTED.length))
  const all = [...new Set([...labels, ...imported, ...given])]
  const ids = all.filter((id) => !isRefusedId(id)).slice(0, MAX_IDS)
  return { ids, isRefused: ids.length === 0 && all.length > 0 }
}
