import { sortDeep } from '../../core/project-file/content'
import { isCurrency } from '../project/settings'
import type { SectionKey } from './model'
import { checkedText, drawnAs, type Read, text, toJson, type Written, writtenAs } from './reader'

export const IDENTIFIER = /^[A-Za-z0-9$_.-]{1,64}$/

// A member `__proto__` would be lost in the JSON objects that clients read.
const isIdentifier = (value: string): boolean => IDENTIFIER.test(value) && value !== '__proto__'

/** The reason why a name cannot be an identifier, or null. */
export const checkIdentifier = (value: string): string | null =>
  isIdentifier(value) ? null : 'An identifier has 1 to 64 letters, digits, $, _, . and -'

export const identifier: Read<string> = drawnAs(
  { type: 'string', pattern: IDENTIFIER.source },
  checkedText(64, checkIdentifier),
)

/** Reads the identifier of an object in another section. */
export const reference =
  (key: SectionKey<unknown>): Read<string> =>
  (spot) => {
    const name = identifier(spot)
    if (name !== undefined) spot.refer(key, name)
    return name
  }

export const label: Read<string> = checkedText(255, (value) => (value.trim() === '' ? 'This must not be blank' : null))

export const currency: Read<string> = checkedText(3, (value) =>
  isCurrency(value) ? null : 'This must be the code of a currency like EUR or USD',
)

export const description: Read<string> = text(1000, 0)

/** The most characters of metadata as JSON. */
export const MAX_METADATA_CHARS = 16 * 1024

/** Reads a JSON object that the project defines. */
export const metadata: Written<Record<string, unknown>> = writtenAs((spot) => {
  if (spot.draws(() => ({ type: 'object' }))) return undefined
  if (spot.node.kind !== 'map') return spot.fail('This must be a mapping of names to values')
  const value = toJson(spot.node)
  if (JSON.stringify(value).length > MAX_METADATA_CHARS)
    return spot.fail(`This is over ${MAX_METADATA_CHARS} characters as JSON`)
  return value as Record<string, unknown> // `toJson` makes an object of a mapping.
}, sortDeep)
