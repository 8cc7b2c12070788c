import { BUILT_INS } from '../../../../core/rules/model'

export { BUILT_INS }

/** The operators that the fields can show, in the order of the list. `$elemMatch` and lists of texts are edited as JSON. */
export const OPERATORS = [
  ...(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$ini', '$nini', '$exists'] as const),
  ...(['$startsWith', '$endsWith', '$contains', '$startsWithi', '$endsWithi', '$containsi'] as const),
  ...(['$regex', '$regexi', '$vgt', '$vgte', '$vlt', '$vlte', '$veq', '$vne'] as const),
  ...(['$dgt', '$dgte', '$dlt', '$dlte', '$all', '$size', '$inGroup', '$notInGroup'] as const),
] as const
export type Operator = (typeof OPERATORS)[number]

export const JOINS = { all: '$and', any: '$or', none: '$nor' } as const
export type Join = keyof typeof JOINS

export interface RuleTest {
  kind: 'test'
  attribute: string
  operator: Operator
  operand: unknown
}

export interface RuleGroup {
  kind: 'group'
  join: Join
  parts: RulePart[]
}

export type RulePart = RuleTest | RuleGroup
export type Rules = Record<string, unknown>

/**
 * A rules document as a tree of tests; null when the fields cannot show it as it is: it uses `$not`, has a group without
 * a test, or an operand that another one would be made of. Everything that is shown means the same after an edit.
 */
export function toGroup(document: unknown): RuleGroup | null {
  const parts = partsOf(document)
  if (!parts) return null
  const [only] = parts
  return parts.length === 1 && only?.kind === 'group' ? only : { kind: 'group', join: 'all', parts }
}

function partsOf(document: unknown): RulePart[] | null {
  if (!isObject(document)) return null
  const parts: RulePart[] = []
  for (const [key, value] of Object.entries(document)) {
    const read = key.startsWith('$') ? groupOf(key, value) : testsOf(key, value)
    if (!read) return null
    parts.push(...read)
  }
  return parts
}

function groupOf(key: string, value: unknown): RulePart[] | null {
  const join = (Object.keys(JOINS) as Join[]).find((name) => JOINS[name] === key)
  if (!join || !Array.isArray(value) || value.length === 0) return null
  const parts: RulePart[] = []
  for (const document of value as unknown[]) {
    const inner = partsOf(document)
    if (!inner || inner.length === 0) return null
    const [only] = inner
    parts.push(inner.length === 1 && only ? only : { kind: 'group', join: 'all', parts: inner })
  }
  return [{ kind: 'group', join, parts }]
}

function testsOf(attribute: string, value: unknown): RulePart[] | null {
  const asked = isObject(value) ? value : { $eq: value }
  const tests: RulePart[] = []
  for (const [name, operand] of Object.entries(asked)) {
    const operator = OPERATORS.find((known) => known === name)
    if (!operator || !isShowable(operator, operand)) return null
    tests.push({ kind: 'test', attribute, operator, operand })
  }
  // No operator asks for nothing, and no test says that.
  return attribute === '' || tests.length === 0 ? null : tests
}

/** Whether the operand is the same after it was shown and typed again. Operands are compared as text, but for null. */
function isShowable(operator: Operator, operand: unknown): boolean {
  if (operator === '$exists') return typeof operand === 'boolean'
  if (operator === '$size') return operandOf(operator, operandText(operand)) === operand
  if (isDate(operator)) return JSON.stringify(operandOf(operator, operandText(operand))) === JSON.stringify(operand)
  if (isText(operator)) return typeof operand === 'string'
  if (!isList(operator)) return isScalar(operand)
  if (!Array.isArray(operand) || !operand.every(isScalar)) return false
  const typed = operandOf(operator, operandText(operand))
  return JSON.stringify(operand.map(String)) === JSON.stringify((typed as unknown[]).map(String))
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

export const isObject = (value: unknown): value is Rules =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The document of a tree, in the shortest form. A group without parts is everybody. */
export function toDocument(group: RuleGroup): Rules {
  if (group.parts.length === 0) return {}
  if (group.join !== 'all') return { [JOINS[group.join]]: group.parts.map(documentOf) }
  const merged: Rules = {}
  for (const part of group.parts.map(documentOf)) {
    // Two tests of one attribute cannot be members of one object.
    if (Object.keys(part).some((key) => key in merged)) return { $and: group.parts.map(documentOf) }
    Object.assign(merged, part)
  }
  return merged
}

/** Without the tests that have no attribute yet, and without groups that are empty then. */
export const complete = (group: RuleGroup): RuleGroup => ({
  ...group,
  parts: group.parts.flatMap((part): RulePart[] => {
    if (part.kind === 'test') return part.attribute === '' ? [] : [part]
    const inner = complete(part)
    return inner.parts.length === 0 ? [] : [inner]
  }),
})

const documentOf = (part: RulePart): Rules => {
  if (part.kind === 'group') return toDocument(part)
  return { [part.attribute]: part.operator === '$eq' ? part.operand : { [part.operator]: part.operand } }
}

export const isList = (operator: Operator): boolean => ['$in', '$nin', '$ini', '$nini', '$all'].includes(operator)

export const isDate = (operator: Operator): boolean => operator.startsWith('$d')

/** Operators that take texts only: a number would be refused, or would lose the zero of version 1.10. */
const isText = (operator: Operator): boolean => /^\$(v|starts|ends|contains|regex|inGroup|notInGroup)/.test(operator)

/** The operand as a person writes it. */
export function operandText(operand: unknown): string {
  if (Array.isArray(operand)) return operand.map(String).join(', ')
  if (isObject(operand)) return typeof operand.$ago === 'string' ? `now-${operand.$ago}` : `now+${operand.$ahead}`
  return operand === null ? '' : String(operand)
}

/** `now-P3D` is three days ago, and `now+PT1H` is in an hour. */
function dateOf(text: string): unknown {
  const match = /^\s*now\s*([+-])\s*(P.*?)\s*$/.exec(text)
  if (!match) return text
  return match[1] === '-' ? { $ago: match[2] } : { $ahead: match[2] }
}

/** What a person wrote, as the operator takes it. */
export function operandOf(operator: Operator, text: string): unknown {
  if (operator === '$exists') return text !== 'false'
  if (operator === '$size') return Math.max(0, Math.trunc(Number(text)) || 0)
  if (isDate(operator)) return dateOf(text)
  if (isText(operator)) return text
  if (!isList(operator)) return scalarOf(text)
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(scalarOf)
}

/** A plain decimal is a number, so that the project file shows it as one. */
const scalarOf = (text: string): string | number =>
  /^-?\d{1,15}$/.test(text) && text === String(Number(text)) ? Number(text) : text

const SIGNS: Record<Operator, string> = {
  $eq: '=',
  $ne: '≠',
  $gt: '>',
  $gte: '≥',
  $lt: '<',
  $lte: '≤',
  $in: 'in',
  $nin: 'not in',
  $exists: 'exists',
  $all: 'has all',
  $size: 'has size',
  $ini: 'in (any case)',
  $nini: 'not in (any case)',
  $startsWith: 'starts with',
  $endsWith: 'ends with',
  $contains: 'contains',
  $startsWithi: 'starts with (any case)',
  $endsWithi: 'ends with (any case)',
  $containsi: 'contains (any case)',
  $regex: 'matches',
  $regexi: 'matches (any case)',
  $vgt: 'version >',
  $vgte: 'version ≥',
  $vlt: 'version <',
  $vlte: 'version ≤',
  $veq: 'version =',
  $vne: 'version ≠',
  $dgt: 'time >',
  $dgte: 'time ≥',
  $dlt: 'time <',
  $dlte: 'time ≤',
  $inGroup: 'in the list of',
  $notInGroup: 'not in the list of',
}

/** Rules as one line of code: `country = TR and svc.trialDaysLeft ≤ 3`. */
export function rulesText(document: unknown): string {
  const group = toGroup(document ?? {})
  return group ? textOf(group, true) : JSON.stringify(document)
}

function textOf(part: RulePart, isOuter = false): string {
  if (part.kind === 'test') return `${part.attribute} ${SIGNS[part.operator]} ${operandText(part.operand)}`
  const inner = part.parts.map((each) => textOf(each)).join(part.join === 'all' ? ' and ' : ' or ')
  if (part.join === 'none') return `not (${inner})`
  return isOuter || part.parts.length < 2 ? inner : `(${inner})`
}

/** An audience and conditions as one document: both must hold. */
export function bothOf(audience: unknown, conditions: unknown): Rules {
  const documents = [audience, conditions].filter(
    (document): document is Rules => isObject(document) && Object.keys(document).length > 0,
  )
  const [only] = documents
  return documents.length > 1 ? { $and: documents } : (only ?? {})
}
