import { type RuleWarning, rulesWarnings } from '../audience/check'
import type { Fault } from '../text/fault'
import { utf8Length } from '../text/utf8'
import { ENVIRONMENTS, FLAG_TYPES, isAttributeName, isKey, MAX_RULES, NAMES_AN_ATTRIBUTE } from './names'
import type { FlagRow } from './schema'
import { valueFault } from './value'

/** Flags that a project can have in one environment; more are 409 `CONFLICT`. */
export const MAX_PER_ENVIRONMENT = 1000
/**
 * How large the flags of a project in one environment may be together; more is 409 `CONFLICT`. One answer and one frame
 * of a stream hold all their values: without this limit, a thousand values of 64 KiB.
 */
const MAX_ENVIRONMENT_BYTES = 4 * 1024 * 1024
const RULE_MEMBERS = ['audienceId', 'conditions', 'value', 'rolloutPercentage', 'bucketBy']

/** What the checks of a flag need to know of its project. */
export interface FlagSurroundings {
  hasAudience(id: string): boolean
  /** Faults of a conditions document: places inside it (empty = the document itself), messages as ends of sentences. */
  checkConditions(document: unknown): readonly Fault[]
}

/**
 * Everything that is wrong with a flag that is about to be written; when nothing is, it may be saved. It never throws.
 */
export function checkFlag(flag: Omit<FlagRow, 'id'>, surroundings: FlagSurroundings): Fault[] {
  const faults: Fault[] = []
  const refuse = (path: string, message: string) => faults.push({ path, message: `${path} ${message}` })
  if (!isKey(flag.key)) refuse('key', 'must be 1 to 64 letters, digits, dollar signs, underscores, dots or dashes')
  if (!ENVIRONMENTS.includes(flag.env)) refuse('env', `must be one of ${ENVIRONMENTS.join(', ')}`)
  if (typeof flag.isEnabled !== 'boolean') refuse('isEnabled', 'must be true or false')
  if (!FLAG_TYPES.includes(flag.type)) {
    refuse('type', `must be one of ${FLAG_TYPES.join(', ')}`) // Without a type, values cannot be checked.
    return faults
  }
  const message = valueFault(flag.type, flag.defaultValue)
  if (message) refuse('defaultValue', message)
  return [...faults, ...checkRules(flag, surroundings)]
}

/**
 * Why these flags are too large for an environment, as a sentence, or null. A change that makes it smaller is allowed.
 */
export function environmentSizeFault(env: string, before: readonly Held[], after: readonly Held[]): string | null {
  const bytes = bytesOf(after)
  if (bytes <= MAX_ENVIRONMENT_BYTES || bytes <= bytesOf(before)) return null
  return `The flags in ${env} would hold ${inKib(bytes)} KiB of values and rules, but at most ${inKib(MAX_ENVIRONMENT_BYTES)}; make values smaller or delete flags`
}

/** The parts of a flag that count for its size. */
type Held = Readonly<{ defaultValue: unknown; rules: unknown }>

const bytesOf = (flags: readonly Held[]): number =>
  flags.reduce((sum, { defaultValue, rules }) => sum + utf8Length(JSON.stringify([defaultValue, rules])), 0)

const inKib = (bytes: number): number => Math.ceil(bytes / 1024)

function checkRules({ type, rules }: Omit<FlagRow, 'id'>, surroundings: FlagSurroundings): Fault[] {
  if (!Array.isArray(rules)) return [{ path: 'rules', message: 'rules must be a list' }]
  if (rules.length > MAX_RULES)
    return [{ path: 'rules', message: `rules must not be more than ${MAX_RULES}, and there are ${rules.length}` }]
  return rules.flatMap((rule: unknown, index) => {
    const place = `rules[${index}]`
    if (!isObject(rule)) return [{ path: place, message: `${place} must be an object` }]
    return [
      ...unknownMembers(rule, place),
      ...checkValue(type, rule, place),
      ...checkRollout(rule, place),
      ...checkBucketBy(rule, place),
      ...checkTargeting(rule, place, surroundings),
    ]
  })
}

type Rule = Record<string, unknown>

const isObject = (value: unknown): value is Rule => typeof value === 'object' && value !== null && !Array.isArray(value)

const fault = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` })

const unknownMembers = (rule: Rule, place: string): Fault[] =>
  Object.keys(rule)
    .filter((name) => !RULE_MEMBERS.includes(name))
    .map((name) => fault(`${place}.${name}`, 'is not a member of a rule; remove it'))

function checkValue(type: FlagRow['type'], rule: Rule, place: string): Fault[] {
  const message = valueFault(type, rule.value)
  return message === null ? [] : [fault(`${place}.value`, message)]
}

function checkRollout({ rolloutPercentage }: Rule, place: string): Fault[] {
  if (rolloutPercentage == null) return []
  const isFraction = typeof rolloutPercentage === 'number' && rolloutPercentage >= 0 && rolloutPercentage <= 1
  return isFraction ? [] : [fault(`${place}.rolloutPercentage`, 'must be a number from 0 to 1')]
}

const checkBucketBy = ({ bucketBy }: Rule, place: string): Fault[] =>
  bucketBy == null || isAttributeName(bucketBy) ? [] : [fault(`${place}.bucketBy`, NAMES_AN_ATTRIBUTE)]

function checkTargeting(rule: Rule, place: string, surroundings: FlagSurroundings): Fault[] {
  const { audienceId, conditions } = rule
  const faults: Fault[] = []
  if (audienceId != null && !(typeof audienceId === 'string' && surroundings.hasAudience(audienceId)))
    faults.push(fault(`${place}.audienceId`, 'must name an audience of this project'))
  if (conditions == null) return faults
  for (const { path, message } of surroundings.checkConditions(conditions))
    faults.push(fault([`${place}.conditions`, path].filter(Boolean).join('.'), message))
  return faults
}

/** The warnings about the conditions of the rules of a flag. */
export const conditionWarnings = (rules: readonly ({ conditions?: unknown } | null)[]): RuleWarning[] =>
  rules.flatMap((rule, index) => rulesWarnings(rule?.conditions ?? null, `rules[${index}].conditions`))
