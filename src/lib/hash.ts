import { timingSafeEqual } from 'node:crypto'

/** SHA-256 as 64 lower-case hex characters. */
export const sha256Hex = (data: string | Uint8Array): string => Bun.SHA256.hash(data, 'hex')

/** Compares two texts without telling by its duration where they differ. */
export function equalsConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Canonical JSON of objects that never change. */
export type Written = Pick<WeakMap<object, string>, 'get'>

/**
 * JSON with the members of every object sorted by name, so that equal values give equal text. What is `written` already
 * is not written again.
 */
export function canonicalJson(value: unknown, written?: Written): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const known = written?.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, written)).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, written)}`).join(',')}}`
}
