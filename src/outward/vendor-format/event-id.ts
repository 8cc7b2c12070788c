import { sha256Hex } from '../../base/lib/hash'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ID = /^[a-z]+_([0-7][0-9a-hjkmnp-tv-z]{25})$/

/**
 * The 128 bits of one of our ids as UUID text: receivers may store the id of an event in a column of that type. Throws
 * RangeError for a text that is no id.
 */
export const uuidOf = (id: string): string => toUuid(bitsOf(id).toString(16).padStart(32, '0'))

/** The id of a further body of the same event: another for each type of the vendor, and the same at each attempt. */
export function furtherUuidOf(id: string, type: string): string {
  const hex = sha256Hex(`${id} ${type}`)
  // The digits that say version 8 of RFC 9562, whose other bits are of one's own making.
  return toUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}

function toUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The Unix milliseconds at which one of our ids was made: its first 48 bits. */
export const madeAt = (id: string): number => Number(bitsOf(id) >> 80n)

function bitsOf(id: string): bigint {
  const text = ID.exec(id)?.[1]
  if (text === undefined) throw new RangeError(`Not an id: ${id}`)
  let bits = 0n
  for (const character of text) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(character))
  return bits
}
