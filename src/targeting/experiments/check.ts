import { canonicalJson } from '../../base/lib/hash'
import { isKey } from '../../core/flag/names'
import { valueFault } from '../../core/flag/value'
import type { Fault } from '../../core/text/fault'
import { jsonFault } from '../../core/text/json-fault'
import type { ExperimentType, Variant } from './model'

const MIN_VARIANTS = 2
const MAX_VARIANTS = 20
const MAX_NAME_CHARACTERS = 255
const WEIGHT_TOLERANCE = 1e-6
/** Ids that start with two underscores are reserved: `__holdout__` in results. */
const VARIANT_ID = /^(?!__)[A-Za-z0-9_-]{1,40}$/
const MEMBERS = ['id', 'name', 'weight', 'value']

export interface ExperimentDraft {
  key: string
  type: ExperimentType
  variants: readonly Variant[]
}

/**
 * Everything that is wrong with an experiment that is about to be written; when nothing is, it may be saved. It never
 * throws.
 */
export function checkExperiment({ key, type, variants }: ExperimentDraft): Fault[] {
  const faults: Fault[] = []
  if (!isKey(key))
    faults.push(fault('key', 'must be 1 to 64 letters, digits, dollar signs, underscores, dots or dashes'))
  const isType = type === 'FLAG' || type === 'FUNNEL' || type === 'OFFERING'
  if (!isType) faults.push(fault('type', 'must be one of FLAG, FUNNEL, OFFERING'))
  const shape = checkShape(variants)
  if (shape.length > 0) return [...faults, ...shape]
  const each = variants.flatMap((variant, index) => checkVariant(variant, `variants[${index}]`))
  const values = isType ? checkValues(type, variants) : []
  return [...faults, ...each, ...checkIds(variants), ...checkSum(variants), ...values]
}

const fault = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` })

function checkShape(variants: unknown): Fault[] {
  if (!Array.isArray(variants)) return [fault('variants', 'must be a list')]
  if (variants.length < MIN_VARIANTS || variants.length > MAX_VARIANTS)
    return [fault('variants', `must be ${MIN_VARIANTS} to ${MAX_VARIANTS}, and there are ${variants.length}`)]
  const places = variants.flatMap((variant, index) => (isObject(variant) ? [] : [`variants[${index}]`]))
  return places.map((place) => fault(place, 'must be an object'))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checkVariant(variant: Variant, place: string): Fault[] {
  const { id, name, weight } = variant
  const faults = Object.keys(variant)
    .filter((member) => !MEMBERS.includes(member))
    .map((member) => fault(`${place}.${member}`, 'is not a member of a variant; remove it'))
  if (typeof id !== 'string' || !VARIANT_ID.test(id))
    faults.push(fault(`${place}.id`, 'must be 1 to 40 letters, digits, underscores or dashes, not beginning with __'))
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_CHARACTERS || jsonFault(name))
    faults.push(fault(`${place}.name`, `must be a text of 1 to ${MAX_NAME_CHARACTERS} characters`))
  if (typeof weight !== 'number' || !(weight > 0 && weight <= 1))
    faults.push(fault(`${place}.weight`, 'must be a fraction above 0 and not above 1'))
  return faults
}

/** One fault for each id that occurred before. */
function checkIds(variants: readonly Variant[]): Fault[] {
  const ids = variants.map(({ id }) => id)
  const repeated = ids.flatMap((id, index) => (typeof id === 'string' && ids.indexOf(id) < index ? [index] : []))
  return repeated.map((index) => fault(`variants[${index}].id`, 'stands twice; every variant needs an id of its own'))
}

function checkSum(variants: readonly Variant[]): Fault[] {
  const sum = variants.reduce((total, { weight }) => total + (typeof weight === 'number' ? weight : 0), 0)
  // The doubles nearest to a sum of 0.999999 differ from 1 by slightly more than 0.000001.
  const isOne = Math.abs(sum - 1) <= WEIGHT_TOLERANCE + 1e-12
  return isOne ? [] : [fault('variants', `must have weights that add up to 1, and they add up to ${sum}`)]
}

function checkValues(type: ExperimentType, variants: readonly Variant[]): Fault[] {
  const faults = variants.flatMap(({ value }, index) => {
    const message = variantValueFault(type, value)
    return message ? [fault(`variants[${index}].value`, message)] : []
  })
  return faults.length > 0 ? faults : checkDifference(type, variants)
}

function variantValueFault(type: ExperimentType, value: unknown): string | null {
  if (type === 'FLAG') return valueFault('JSON', value)
  if (type === 'OFFERING') return isName(value) ? null : 'must be the identifier of an offering'
  const isFunnel = isObject(value) && isName(value.funnelId) && Object.keys(value).length === 1
  return isFunnel ? null : 'must be {"funnelId": …}'
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && !value.includes('\0')

/**
 * Two variants with the same offering would be one group in two parts. For other types only equal values of all
 * variants are refused.
 */
function checkDifference(type: ExperimentType, variants: readonly Variant[]): Fault[] {
  const values = variants.map(({ value }) => canonicalJson(value))
  if (type !== 'OFFERING')
    return new Set(values).size > 1 ? [] : [fault('variants', 'must not all have the same value')]
  const repeated = values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []))
  return repeated.map((index) =>
    fault(`variants[${index}].value`, 'stands twice; every variant needs another offering'),
  )
}

/** The names or ids in the values of valid variants; each must exist, else 400 `UNKNOWN_REFERENCES`. */
export function targetsOf(type: ExperimentType, variants: readonly Variant[]): string[] {
  if (type === 'FLAG') return []
  const names = variants.map(({ value }) => (isObject(value) ? value.funnelId : value))
  return [...new Set(names.filter(isName))]
}
