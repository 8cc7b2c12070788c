import { parseIso } from '../time/iso'
import { fold } from './folding'
import { readInstant } from './instants'
import type {
  DateOperand,
  DateOperator,
  Operand,
  OrderOperator,
  RuleQuestion,
  RuleTest,
  SizeLimit,
  Subject,
  TimeBuiltIn,
  VersionOperator,
} from './model'
import { eachText, partTest } from './texts'
import { arrayKeysOf, comparerTo, elementsOf, itemsOf, keyOf, numberOf, scalarKey } from './values'
import { compareVersions, readVersion, type Version } from './versions'

type Reader = (subject: Subject) => string | undefined

/** What a question is about. */
export interface Asked {
  attribute: string
  read: Reader
  /** The value is an item of a list, and is no list itself. */
  isItem: boolean
}

/** A question that asks for nothing but the value; `$elemMatch` holds a condition and is compiled with it. */
type PlainQuestion = Exclude<RuleQuestion, { operator: '$elemMatch' }>

/** One question as a closure; whatever depends on the operand alone is computed here. */
export function compileQuestion(asked: Asked, question: PlainQuestion): RuleTest {
  const { read, isItem } = asked
  switch (question.operator) {
    case '$exists':
      return exists(read, question.operand)
    case '$size':
      return hasSize(read, question.operand)
    case '$all':
      return hasAll(read, question.operand)
    case '$eq':
      return isOneOf(asked, [question.operand])
    case '$ne':
      return not(isOneOf(asked, [question.operand]))
    case '$in':
      return isOneOf(asked, question.operand)
    case '$nin':
      return not(isOneOf(asked, question.operand))
    case '$ini':
      return isOneOfFolded(asked, question.operand)
    case '$nini':
      return not(isOneOfFolded(asked, question.operand))
    case '$vgt':
    case '$vgte':
    case '$vlt':
    case '$vlte':
    case '$veq':
      return isVersion(read, question.operator, question.operand)
    case '$vne':
      return not(isVersion(read, '$veq', question.operand))
    case '$dgt':
    case '$dgte':
    case '$dlt':
    case '$dlte':
      return isDated(asked, question.operator, question.operand)
    case '$startsWith':
    case '$endsWith':
    case '$contains':
    case '$startsWithi':
    case '$endsWithi':
    case '$containsi':
      return eachText(read, isItem, partTest(question.operator, question.operand))
    case '$regex':
    case '$regexi':
      return eachText(read, isItem, question.operand)
    case '$inGroup':
      return isInGroup(read, question.operand)
    case '$notInGroup':
      return not(isInGroup(read, question.operand))
    default:
      return isOrdered(asked, question.operator, String(question.operand))
  }
}

export const not =
  (test: RuleTest): RuleTest =>
  (subject) =>
    !test(subject)

const exists =
  (read: Reader, wanted: boolean): RuleTest =>
  (subject) =>
    (read(subject) !== undefined) === wanted

function isOneOf({ attribute, read, isItem }: Asked, operands: readonly Operand[]): RuleTest {
  const missing = operands.includes(null)
  const texts = operands.filter((operand) => operand !== null).map(String)
  if (isTime(attribute)) {
    const isEqual = equalsTime(attribute, texts)
    return (subject) => (read(subject) === undefined ? missing : isEqual(subject))
  }
  return isEqualItem(read, isItem, missing, equalsText(texts))
}

/** A list holds where one of its items does. */
function isEqualItem(read: Reader, isItem: boolean, missing: boolean, isEqual: (text: string) => boolean): RuleTest {
  return (subject) => {
    const text = read(subject)
    if (text === undefined) return missing
    const items = isItem ? null : itemsOf(text)
    return items === null ? isEqual(text) : items.some((item) => (item === null ? missing : isEqual(item)))
  }
}

function isOneOfFolded({ read, isItem }: Asked, operands: readonly Operand[]): RuleTest {
  const isEqual = equalsText(operands.filter((operand) => operand !== null).map((operand) => fold(String(operand))))
  return isEqualItem(read, isItem, operands.includes(null), (text) => isEqual(fold(text)))
}

function equalsText(texts: readonly string[]): (text: string) => boolean {
  const [only, ...others] = texts
  // The text of an attribute is parsed as a number only where that can matter.
  if (!texts.some((text) => numberOf(text) !== null)) {
    if (others.length === 0) return (text) => text === only
    const plain = new Set(texts)
    return (text) => plain.has(text)
  }
  const keys = new Set(texts.map(keyOf))
  if (others.length === 0) return (text) => text === only || keys.has(keyOf(text))
  return (text) => keys.has(keyOf(text))
}

function equalsTime(attribute: TimeBuiltIn, texts: readonly string[]): RuleTest {
  const instants = new Set(texts.map(instantOf).filter((instant) => instant !== null))
  return (subject) => instants.has(subject.instant(attribute) ?? Number.NaN)
}

function isOrdered({ attribute, read }: Asked, operator: OrderOperator, operand: string): RuleTest {
  const holds = ORDERS[operator]
  const instant = instantOf(operand)
  if (isTime(attribute) && instant !== null) {
    return (subject) => {
      const at = subject.instant(attribute)
      return at !== undefined && holds(at - instant)
    }
  }
  const compare = comparerTo(operand)
  return (subject) => {
    const text = read(subject)
    return text !== undefined && holds(compare(text))
  }
}

const ORDERS: Record<OrderOperator, (comparison: number) => boolean> = {
  $gt: (comparison) => comparison > 0,
  $gte: (comparison) => comparison >= 0,
  $lt: (comparison) => comparison < 0,
  $lte: (comparison) => comparison <= 0,
}

const isTime = (attribute: string): attribute is TimeBuiltIn =>
  attribute === 'svc.firstSeenAt' || attribute === 'svc.lastSeenAt' || attribute === 'svc.now'

/** An ISO time with any offset, or a number of milliseconds. */
const instantOf = (text: string): number | null => parseIso(text) ?? numberOf(text)

function hasSize(read: Reader, limits: readonly SizeLimit[]): RuleTest {
  return (subject) => {
    const text = read(subject)
    const size = text === undefined ? undefined : elementsOf(text)?.length
    return size !== undefined && limits.every(({ operator, operand }) => SIZES[operator](size - operand))
  }
}

const SIZES: Record<SizeLimit['operator'], (comparison: number) => boolean> = {
  ...ORDERS,
  $eq: (comparison) => comparison === 0,
  $ne: (comparison) => comparison !== 0,
}

function isVersion(read: Reader, operator: Exclude<VersionOperator, '$vne'>, operand: Version): RuleTest {
  const holds = VERSIONS[operator]
  return (subject) => {
    const text = read(subject)
    const version = text === undefined ? null : readVersion(text)
    return version !== null && holds(compareVersions(version, operand))
  }
}

const VERSIONS: Record<Exclude<VersionOperator, '$vne'>, (comparison: number) => boolean> = {
  $vgt: ORDERS.$gt,
  $vgte: ORDERS.$gte,
  $vlt: ORDERS.$lt,
  $vlte: ORDERS.$lte,
  $veq: SIZES.$eq,
}

/** Missing times, and texts that are none, are neither earlier nor later. */
function isDated({ attribute, read }: Asked, operator: DateOperator, operand: DateOperand): RuleTest {
  const holds = DATES[operator]
  const atOf = isTime(attribute)
    ? (subject: Subject) => subject.instant(attribute)
    : (subject: Subject) => readInstant(read(subject) ?? '')
  return (subject) => {
    const at = atOf(subject) ?? null
    const wanted = 'at' in operand ? operand.at : (subject.instant('svc.now') ?? Number.NaN) + operand.fromNow
    return at !== null && holds(at - wanted)
  }
}

const DATES: Record<DateOperator, (comparison: number) => boolean> = {
  $dgt: ORDERS.$gt,
  $dgte: ORDERS.$gte,
  $dlt: ORDERS.$lt,
  $dlte: ORDERS.$lte,
}

/** A list is in the group where one of its items is. */
const isInGroup =
  (read: Reader, audienceId: string): RuleTest =>
  (subject) => {
    const text = read(subject)
    if (text === undefined) return false
    const items = itemsOf(text)
    if (items === null) return subject.isInGroup(audienceId, text)
    return items.some((item) => item !== null && subject.isInGroup(audienceId, item))
  }

function hasAll(read: Reader, operands: readonly Operand[]): RuleTest {
  const wanted = operands.map(scalarKey)
  return (subject) => {
    const text = read(subject)
    const keys = text === undefined ? null : arrayKeysOf(text)
    if (keys === null) return false
    const found = new Set(keys)
    return wanted.every((key) => found.has(key))
  }
}
