import { isCalendarDate } from './dates'
import { readLocalText } from './local-text'
import { FIELD_KINDS, type FieldKind, type FunnelField, type FunnelOption } from './model'
import type { Reading } from './reading'

const MAX_OPTIONS = 100

export function readField(reading: Reading, given: unknown, path: string): FunnelField {
  const members = reading.object(given, path, ['id', 'kind', 'required', 'options', 'min', 'max'])
  const kind = reading.oneOf(members.kind, `${path}.kind`, FIELD_KINDS)
  const known = kind === members.kind ? kind : null // Without a kind the members cannot be checked.
  const { required = false } = members
  if (typeof required !== 'boolean') reading.refuse(`${path}.required`, 'must be true or false')
  const min = readBound(reading, known, members.min, `${path}.min`)
  const max = readBound(reading, known, members.max, `${path}.max`)
  if (min !== null && max !== null && min > max) reading.refuse(`${path}.max`, 'must not be below min')
  return {
    id: reading.id(members.id, `${path}.id`),
    kind,
    required: required === true,
    options: readOptions(reading, known, members.options, `${path}.options`),
    min,
    max,
  }
}

function readOptions(reading: Reading, kind: FieldKind | null, given: unknown, path: string): FunnelOption[] {
  const options = reading.list(given, path, MAX_OPTIONS).map(([option, at]): FunnelOption => {
    const { id, label } = reading.object(option, at, ['id', 'label'])
    return { id: reading.id(id, `${at}.id`), label: readLocalText(reading, label ?? {}, `${at}.label`) }
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

/**
 * A range applies to the value of a number, the length of a text, the count of chosen options, or the day of a date.
 */
function readBound(reading: Reading, kind: FieldKind | null, given: unknown, path: string): number | string | null {
  if (given == null || kind === null) return null
  if (kind === 'date') {
    if (isCalendarDate(given)) return given
    reading.refuse(path, 'must be a day like 2026-11-20')
  } else if (kind === 'number' || kind === 'text' || kind === 'multi') {
    const isCount = kind === 'number' || (Number.isInteger(given) && Number(given) >= 0)
    if (typeof given === 'number' && Number.isFinite(given) && isCount) return given
    reading.refuse(path, kind === 'number' ? 'must be a number' : 'must be a whole number of 0 or more')
  } else reading.refuse(path, `must be absent: the kind is ${kind}`)
  return null
}
