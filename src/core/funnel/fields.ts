import { isCalendarDate } from './dates'
import { Given, readNumber } from './members'
import { FIELD_KINDS, FIELD_PATTERNS, type FieldKind, type FunnelField, type FunnelOption } from './model'
import type { Reading } from './reading'

const MAX_OPTIONS = 100
const VALUES = { min: -1e6, max: 1e6 }

const MEMBERS = ['id', 'kind', 'required', 'options', 'min', 'max']
const FURTHER = ['attribute', 'label', 'placeholder', 'pattern', 'sensitive']

/** Implied by what the visitor chose; no field may have this id. */
export const SCORE = 'score'

export function readField(reading: Reading, given: unknown, path: string): FunnelField {
  const members = reading.object(given, path, [...MEMBERS, ...FURTHER])
  const kind = reading.oneOf(members.kind, `${path}.kind`, FIELD_KINDS)
  const known = kind === members.kind ? kind : null // Without a kind the members cannot be checked.
  const { required = false } = members
  if (typeof required !== 'boolean') reading.refuse(`${path}.required`, 'must be true or false')
  const min = readBound(reading, known, members.min, `${path}.min`)
  const max = readBound(reading, known, members.max, `${path}.max`)
  if (min !== null && max !== null && min > max) reading.refuse(`${path}.max`, 'must not be below min')
  if (members.id === SCORE) reading.refuse(`${path}.id`, 'must not be score: that is the sum of the chosen values')
  return {
    id: reading.id(members.id, `${path}.id`),
    kind,
    required: required === true,
    options: readOptions(reading, known, members.options, `${path}.options`),
    min,
    max,
    ...readFurther(new Given(reading, members, path), known),
  }
}

type Further = Pick<FunnelField, 'attribute' | 'label' | 'placeholder' | 'pattern' | 'sensitive'>

function readFurther(field: Given, kind: FieldKind | null): Further {
  const { pattern, sensitive } = field.members
  if (pattern != null && kind !== null && kind !== 'text')
    field.refuse('pattern', `must be absent: the kind is ${kind}`)
  const isSensitive = sensitive != null && field.read('sensitive', field.flag)
  return {
    ...field.maybe('attribute', (value, path) => readAttribute(field.reading, value, path)),
    ...field.maybe('label', field.local),
    ...field.maybe('placeholder', field.local),
    ...field.maybe('pattern', field.oneOf(FIELD_PATTERNS)),
    ...(isSensitive && { sensitive: true }),
  }
}

const ATTRIBUTE = /^[A-Za-z0-9_.-]{1,64}$/

function readAttribute(reading: Reading, value: unknown, path: string): string {
  if (typeof value === 'string' && ATTRIBUTE.test(value)) return value
  reading.refuse(path, 'must be the key of an attribute: 1 to 64 letters, digits, underscores, dots or dashes')
  return ''
}

function readOptions(reading: Reading, kind: FieldKind | null, given: unknown, path: string): FunnelOption[] {
  const options = reading.list(given, path, MAX_OPTIONS).map(([option, at]): FunnelOption => {
    const members = Given.of(reading, option, at, ['id', 'label', 'image', 'value'])
    return {
      id: members.read('id', (id, place) => reading.id(id, place)),
      label: members.read('label', members.local),
      ...members.maybe('image', members.asset),
      ...members.maybe('value', (value, place) => readNumber(reading, value, place, VALUES)),
    }
  })
  if (kind === null) return options
  const isChoice = kind === 'single' || kind === 'multi'
  if (isChoice && (given == null || (Array.isArray(given) && given.length === 0)))
    reading.refuse(path, `must have an option to choose: the kind is ${kind}`)
  if (!isChoice && options.length > 0) reading.refuse(path, `must be absent: the kind is ${kind}`)
  reading.unique(
    options.map(({ id }, index) => [id, `${path}[${index}].id`]),
    'option',
  )
  return options
}

/** Kinds whose answer is a number with any fraction. Heights are in centimetres, weights in kilograms. */
export const MEASURES: ReadonlySet<FieldKind> = new Set(['number', 'slider', 'height', 'weight'])
const RANGED: ReadonlySet<FieldKind> = new Set([...MEASURES, 'text', 'multi', 'rating'])

/**
 * A range applies to the value of a number, the stars of a rating, the length of a text, the count of chosen options, or the day of a date.
 */
function readBound(reading: Reading, kind: FieldKind | null, given: unknown, path: string): number | string | null {
  if (given == null || kind === null) return null
  if (kind === 'date') {
    if (isCalendarDate(given)) return given
    reading.refuse(path, 'must be a day like 2026-11-20')
  } else if (RANGED.has(kind)) {
    const isFree = MEASURES.has(kind)
    const isCount = isFree || (Number.isInteger(given) && Number(given) >= 0)
    if (typeof given === 'number' && Number.isFinite(given) && isCount) return given
    reading.refuse(path, isFree ? 'must be a number' : 'must be a whole number of 0 or more')
  } else reading.refuse(path, `must be absent: the kind is ${kind}`)
  return null
}
