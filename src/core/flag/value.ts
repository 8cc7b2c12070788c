import { jsonFault, sizeFault } from '../text/json-fault'
import type { FlagType } from './names'

/** What to change so that a value fits the type of its flag, as the end of a sentence, or null when it fits. */
export function valueFault(type: FlagType, value: unknown): string | null {
  const wanted = Object.hasOwn(WANTED, type) ? WANTED[type] : null
  if (!wanted) return 'must belong to a flag of type BOOLEAN, STRING, NUMBER or JSON'
  if (!wanted.isOfType(value)) return `must be ${wanted.name}`
  return jsonFault(value) ?? sizeFault(value)
}

const WANTED: Record<FlagType, { name: string; isOfType: (value: unknown) => boolean }> = {
  BOOLEAN: { name: 'true or false', isOfType: (value) => typeof value === 'boolean' },
  STRING: { name: 'a string', isOfType: (value) => typeof value === 'string' },
  NUMBER: { name: 'a number', isOfType: (value) => typeof value === 'number' },
  // An answer is a boolean, a number, a string, an object or an array; null would read as "no flag".
  JSON: { name: 'a JSON value other than null', isOfType: (value) => value !== null && value !== undefined },
}
