import { applyAttributes } from '../../../people/subscribers/attributes'
import { isTooDeep } from './depth'
import { type DictionaryValue, readDictionary, readPairs } from './dictionary'
import type { AttributeForm } from './presets'

export type Attributes = Readonly<Record<string, string>>

export const NO_ATTRIBUTES: Attributes = Object.freeze({})

/** Attributes, or why a text has none, worded to follow the name of the column. */
export type AttributesRead = { attributes: Attributes } | { fault: string }

/** Reads the attributes of a field. Empty ones and null count as absent. */
export function readAttributes(text: string, form: AttributeForm): AttributesRead {
  const found = parse(text, form)
  if (found === null || typeof found !== 'object' || Array.isArray(found)) return { fault: 'is not a JSON object' }
  const members = Object.entries(found).map(([key, value]) => [key, textOf(valueIn(value, form))] as const)
  return checkAttributes(Object.fromEntries(members.filter(([, value]) => value !== '')))
}

/** The vendor's own keys, which start with `$`, are left out unless they exist here too. */
export function checkAttributes(found: Record<string, string>): AttributesRead {
  const own = Object.entries(found).filter(([key, value]) => !key.startsWith('$') || faultOf({ [key]: value }) === null)
  if (own.length === 0) return { attributes: NO_ATTRIBUTES }
  const attributes = Object.fromEntries(own)
  const fault = faultOf(attributes)
  return fault === null ? { attributes } : { fault: `has an attribute that is not allowed: ${fault}` }
}

/** The rules are those of wire 2.6; which further reserved keys a project takes is not known yet. */
const RULES = { now: 0, source: 'IMPORT', extraReservedKeys: true }

function faultOf(attributes: Record<string, string>): string | null {
  const result = applyAttributes({}, attributes, RULES)
  return result.ok ? null : (result.faults[0] ?? null)
}

/** Numbers whose digits would be others after they were numbers: `123.0`, `1e3`, and very long ones. */
const KEEPS_DIGITS = /\d(?:\.\d|[eE][-+\d])|\d{16}/

function parse(text: string, form: AttributeForm): DictionaryValue | null {
  if (form === 'DICTIONARY' && !text.startsWith('{')) return readPairs(text)
  if (form === 'DICTIONARY' || KEEPS_DIGITS.test(text)) return readDictionary(text)
  if (isTooDeep(text)) return null
  try {
    return JSON.parse(text) as DictionaryValue // Its numbers and truth values become texts below.
  } catch {
    return readDictionary(text)
  }
}

function valueIn(value: DictionaryValue, form: AttributeForm): DictionaryValue {
  if (form !== 'VALUE_MEMBERS' || value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return value.value ?? null
}

function textOf(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
