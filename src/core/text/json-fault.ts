import { utf8Length } from './utf8'

const MAX_VALUE_BYTES = 64 * 1024
/** Code that walks a value by recursion (entity tags do) must never run out of stack. */
const MAX_DEPTH = 100

/**
 * Why a value is no valid JSON for svc, as the end of a sentence, or null. It walks without recursion: 64 KiB can hold
 * more brackets than the stack holds calls.
 */
export function jsonFault(value: unknown): string | null {
  const waiting: { node: unknown; depth: number }[] = [{ node: value, depth: 0 }]
  for (let next = waiting.pop(), seen = 1; next; next = waiting.pop(), seen++) {
    const { node, depth } = next
    const message = scalarFault(node)
    if (message) return message
    if (typeof node !== 'object' || node === null) continue
    if (depth === MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} levels`
    if (seen > MAX_VALUE_BYTES) return TOO_LARGE
    for (const [name, member] of Object.entries(node)) {
      const unfit = textFault(name)
      if (unfit) return unfit
      waiting.push({ node: member, depth: depth + 1 })
    }
  }
  return null
}

function scalarFault(value: unknown): string | null {
  if (typeof value === 'number') return numberFault(value)
  if (typeof value === 'string') return textFault(value)
  const isJson = typeof value === 'boolean' || typeof value === 'object'
  return isJson ? null : 'must be made of JSON values only'
}

function numberFault(value: number): string | null {
  if (!Number.isFinite(value)) return 'must hold finite numbers only'
  const isTooLarge = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isTooLarge ? 'must keep its integers within ±(2^53−1)' : null
}

/** PostgreSQL can store neither of the two in JSON. */
export function textFault(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the NUL character'
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair'
}

const TOO_LARGE = `must not be larger than ${MAX_VALUE_BYTES / 1024} KiB as JSON`

/** Why a JSON value is too large, as the end of a sentence, or null. */
export const sizeFault = (value: unknown): string | null =>
  utf8Length(JSON.stringify(value)) > MAX_VALUE_BYTES ? TOO_LARGE : null
