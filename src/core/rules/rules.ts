import { utf8Length } from '../text/utf8'
import { MAX_BYTES, MAX_DEPTH, MAX_ITEMS, MAX_NODES, MAX_STEPS, ruleFault } from './faults'
import type { ParsedRules, RuleFault, RuleNode, RulePath } from './model'
import { isScalar, OPERATORS } from './operands'

const ROOT: RulePath = ['rules']

/** Matches everyone, as an empty document does. */
const EVERYONE: RuleNode = { kind: 'ALL', path: ROOT, parts: [] }

/**
 * Reads a rules document (wire 5.3) into a tree, or returns its first fault and the place; never throws. The root has
 * depth 1, and each object inside an object one more. A node is a member of an object, or a document in a list; the
 * items of `$in` and the like are not nodes.
 */
export function parseRules(document: unknown): ParsedRules {
  if (document === null) return { ok: true, rules: EVERYONE }
  const rules = readDocument({ nodes: 0, steps: 0 }, document, { path: ROOT, depth: 1 })
  if (isFault(rules)) return { ok: false, fault: rules }
  // The document is known to be plain and shallow by now, so writing it as JSON is safe.
  const isTooLarge = utf8Length(JSON.stringify(document)) > MAX_BYTES
  return isTooLarge ? { ok: false, fault: ruleFault('TOO_LARGE', ROOT) } : { ok: true, rules }
}

type Reading = RuleNode | RuleFault

const isFault = (reading: Reading): reading is RuleFault => 'reason' in reading

interface Walk {
  nodes: number
  /** Of the regular expressions. */
  steps: number
}

interface Place {
  path: RulePath
  depth: number
}

const below = ({ path, depth }: Place, key: string): Place => ({ path: [...path, key], depth: depth + 1 })

/** A document: attributes with their conditions, and `$and`, `$or`, `$nor`, `$not` over documents. All must be true. */
function readDocument(walk: Walk, value: unknown, place: Place): Reading {
  return readMembers(walk, value, place, (key, member, inner) => {
    const list = LISTS.get(key)
    if (list) return readList(walk, list, member, inner)
    if (key === '$not') return negated(inner, readDocument(walk, member, inner))
    if (OPERATORS.has(key) || key === '$elemMatch') return ruleFault('MISPLACED_OPERATOR', inner.path)
    return key.startsWith('$') ? ruleFault('UNKNOWN_OPERATOR', inner.path) : readCondition(walk, key, member, inner)
  })
}

/** The condition of one attribute: a scalar that it equals, or an object of operators that must all be true. */
function readCondition(walk: Walk, attribute: string, value: unknown, place: Place): Reading {
  const { path } = place
  if (isScalar(value)) return { kind: 'TEST', path, attribute, question: { operator: '$eq', operand: value } }
  if (Array.isArray(value)) return ruleFault('WRONG_OPERAND', path, 'is a list; use $in or $all with it')
  if (isPlainObject(value) && Object.keys(value).length === 0) return ruleFault('EMPTY_CONDITION', path)
  return readMembers(walk, value, place, (key, operand, inner) => {
    if (key === '$not') return negated(inner, readCondition(walk, attribute, operand, inner))
    if (key === '$elemMatch') return elementMatch(attribute, inner, readCondition(walk, attribute, operand, inner))
    const read = OPERATORS.get(key)
    if (!read) return nameFault(key, inner.path)
    const question = read(operand, inner.path)
    if ('reason' in question) return question
    walk.steps += 'steps' in question ? question.steps : 0
    return walk.steps > MAX_STEPS
      ? ruleFault('TOO_LARGE', inner.path, PATTERNS)
      : { kind: 'TEST', path: inner.path, attribute, question }
  })
}

const PATTERNS = `is one regular expression too many: together they have at most ${MAX_STEPS} steps, one for each character, and a repetition such as {100} counts as often as it repeats`

const elementMatch = (attribute: string, { path }: Place, condition: Reading): Reading =>
  isFault(condition)
    ? condition
    : { kind: 'TEST', path, attribute, question: { operator: '$elemMatch', operand: condition } }

function nameFault(key: string, path: RulePath): RuleFault {
  if (LISTS.has(key)) return ruleFault('MISPLACED_OPERATOR', path)
  return ruleFault(key.startsWith('$') ? 'UNKNOWN_OPERATOR' : 'NOT_AN_OPERATOR', path)
}

function readMembers(
  walk: Walk,
  value: unknown,
  place: Place,
  read: (key: string, member: unknown, inner: Place) => Reading,
): Reading {
  const { path, depth } = place
  if (!isPlainObject(value)) return ruleFault('NOT_AN_OBJECT', path)
  if (depth > MAX_DEPTH) return ruleFault('TOO_DEEP', path)
  const parts: RuleNode[] = []
  for (const key of Object.keys(value)) {
    const inner = below(place, key)
    const part = isOverfull(walk) ? ruleFault('TOO_MANY_NODES', inner.path) : read(key, value[key], inner)
    if (isFault(part)) return part
    parts.push(part)
  }
  const [only] = parts
  return only && parts.length === 1 ? only : { kind: 'ALL', path, parts }
}

/** A list does not add a level: its operator has counted as one. */
function readList(walk: Walk, kind: ListKind, value: unknown, { path, depth }: Place): Reading {
  if (!Array.isArray(value)) return ruleFault('WRONG_OPERAND', path, 'takes a list of rules')
  if (value.length > MAX_ITEMS) return ruleFault('TOO_MANY_ITEMS', path)
  const parts: RuleNode[] = []
  for (const [index, document] of value.entries()) {
    const inner: Place = { path: [...path, index], depth }
    const part = isOverfull(walk) ? ruleFault('TOO_MANY_NODES', inner.path) : readDocument(walk, document, inner)
    if (isFault(part)) return part
    parts.push(part)
  }
  return { kind, path, parts }
}

type ListKind = 'ALL' | 'ANY' | 'NONE'

const LISTS: ReadonlyMap<string, ListKind> = new Map<string, ListKind>([
  ['$and', 'ALL'],
  ['$or', 'ANY'],
  ['$nor', 'NONE'],
])

/** Counts one more node. */
function isOverfull(walk: Walk): boolean {
  walk.nodes++
  return walk.nodes > MAX_NODES
}

const negated = ({ path }: Place, part: Reading): Reading => (isFault(part) ? part : { kind: 'NOT', path, part })

/** An object that JSON writes with its members. A Map or a Date would appear to be empty, and match everyone. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
