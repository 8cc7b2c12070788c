import type { SectionKey } from './model'
import { checkedText, type Read, text, toJson } from './reader'

export const IDENTIFIER = /^[A-Za-z0-9$_.-]{1,64}$/

// `__proto__` would vanish from the maps that clients read.
const isIdentifier = (value: string): boolean => IDENTIFIER.test(value) && value !== '__proto__'

/** Why a name cannot be an identifier, or null. */
export const checkIdentifier = (value: string): string | null =>
  isIdentifier(value) ? null : 'An identifier has 1 to 64 letters, digits, $, _, . and -'

export const identifier: Read<string> = checkedText(64, checkIdentifier)

/** The identifier of an object of a section. */
export const reference =
  (key: SectionKey<unknown>): Read<string> =>
  (spot) => {
    const name = identifier(spot)
    if (name !== undefined) spot.refer(key, name)
    return name
  }

export const label: Read<string> = checkedText(255, (value) => (value.trim() === '' ? 'This must not be blank' : null))

export const description: Read<string> = text(1000, 0)

const MAX_METADATA_CHARS = 16 * 1024

/** A JSON object of the project's own. */
export const metadata: Read<Record<string, unknown>> = (spot) => {
  if (spot.node.kind !== 'map') return spot.fail('This must be a mapping of names to values')
  const value = toJson(spot.node)
  if (JSON.stringify(value).length > MAX_METADATA_CHARS)
    return spot.fail(`This is over ${MAX_METADATA_CHARS} characters as JSON`)
  return value as Record<string, unknown> // A mapping gives an object.
}
