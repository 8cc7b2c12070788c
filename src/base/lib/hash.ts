import { timingSafeEqual } from 'node:crypto'

/** SHA-256 as 64 lower-case hex characters. */
export const sha256Hex = (data: string | Uint8Array): string => Bun.SHA256.hash(data, 'hex')

/** Compares two texts in a time that does not depend on where they differ. */
export function equalsConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Canonical JSON, already written, of objects that never change. */
export type Written = Pick<WeakMap<object, string>, 'get'>

/**
 * JSON with the members of every object sorted by name, so that equal values give equal text. Objects that have their
 * text in `written` are not written again.
 */
export function canonicalJson(value: unknown, written?: Written): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return scalar(value)
  return written?.get(value) ?? (Array.isArray(value) ? writeList(value, written) : writeObject(value, written))
}

const scalar = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null')

function writeList(items: readonly unknown[], written?: Written): string {
  let text = ''
  for (let index = 0; index < items.length; index++)
    text += (index === 0 ? '' : ',') + canonicalJson(items[index], written)
  return `[${text}]`
}

function writeObject(value: object, written?: Written): string {
  if ('rawJSON' in value && JSON.isRawJSON(value)) return value.rawJSON
  const members = value as Record<string, unknown>
  let text = ''
  for (const name of Object.keys(members).sort()) {
    const member = members[name]
    if (member !== undefined) text += `${text === '' ? '' : ','}${quote(name)}:${canonicalJson(member, written)}`
  }
  return `{${text}}`
}

/**
 * Texts without a character that JSON must escape. Adding quotes to these takes a third of the time of
 * `JSON.stringify`.
 */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/

const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))
