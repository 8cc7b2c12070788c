import { isPeriod } from '../../base/lib/period'
import type { Reference } from './model'
import { checkedText, type Read, text, toJson } from './reader'

export const IDENTIFIER = /^[A-Za-z0-9$_.-]{1,64}$/

// `__proto__` would vanish from the maps that clients read.
const isIdentifier = (value: string): boolean => IDENTIFIER.test(value) && value !== '__proto__'

/** Why a name cannot be an identifier, or null. */
export const checkIdentifier = (value: string): string | null =>
  isIdentifier(value) ? null : 'An identifier has 1 to 64 letters, digits, $, _, . and -'

export const identifier: Read<string> = checkedText(64, checkIdentifier)

/** The identifier of another object of the project. */
export const reference =
  (resource: Reference['resource']): Read<string> =>
  (spot) => {
    const name = identifier(spot)
    if (name !== undefined) spot.refer(resource, name)
    return name
  }

export const label: Read<string> = checkedText(255, (value) => (value.trim() === '' ? 'This must not be blank' : null))

export const storeId: Read<string> = label

export const description: Read<string> = text(1000, 0)

export const period: Read<string> = checkedText(32, (value) =>
  isPeriod(value) ? null : 'This must be an ISO 8601 period of whole years, months, weeks or days, like P1M',
)

export const webUrl: Read<string> = checkedText(2048, (value) =>
  isWebUrl(value) ? null : 'This must be an http or https address',
)

function isWebUrl(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}

export const timezone: Read<string> = checkedText(64, (value) =>
  isTimezone(value) ? null : 'This must be a time zone like Europe/Istanbul or UTC',
)

function isTimezone(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false // The runtime does not know the zone.
  }
}

const MAX_METADATA_CHARS = 16 * 1024

/** A JSON object of the project's own. */
export const metadata: Read<Record<string, unknown>> = (spot) => {
  if (spot.node.kind !== 'map') return spot.fail('This must be a mapping of names to values')
  const value = toJson(spot.node)
  if (JSON.stringify(value).length > MAX_METADATA_CHARS)
    return spot.fail(`This is over ${MAX_METADATA_CHARS} characters as JSON`)
  return value as Record<string, unknown> // A mapping gives an object.
}
