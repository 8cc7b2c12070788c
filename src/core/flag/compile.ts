import type { Bucket } from '../bucket/bucket'
import type { Matchers, Matches } from '../rules/matches'
import { type Fault, messageOf } from '../text/fault'
import { type FlagEnvironment, type FlagType, isAttributeName, NAMES_AN_ATTRIBUTE } from './names'
import type { FlagRow, FlagRule } from './schema'
import { valueFault } from './value'

export interface CompiledRule<Subject> {
  /** Among the stored rules. */
  index: number
  /** The name of the rule in answers: `rule:0`. */
  variant: string
  isInAudience: Matches<Subject>
  meetsConditions: Matches<Subject>
  value: unknown
  rolloutPercentage: number | null
  /** Null = by the bucketing id. */
  bucketBy: ((subject: Subject) => string | undefined) | null
  /** The bucket of an id in this rule. */
  place: (id: string) => number
}

export interface CompiledFlag<Subject> {
  id: string
  key: string
  env: FlagEnvironment
  type: FlagType
  isEnabled: boolean
  defaultValue: unknown
  /** The first broken rule and all after it are left out. */
  rules: readonly CompiledRule<Subject>[]
  /** How many rules are stored, usable or not: the difference between STATIC and DEFAULT. */
  ruleCount: number
}

export interface FlagCompilation<Subject> {
  /**
   * Null when the row cannot be evaluated at all; the app then uses its own default, as for a flag that does not exist.
   */
  flag: CompiledFlag<Subject> | null
  /** Faults of the stored row, for the log. */
  faults: Fault[]
}

/**
 * Compiles a stored flag. It never throws. A rule whose audience is missing applies to no one. A broken rule ends the
 * list, because the rules below it may be meant only for subscribers to whom it does not apply: those to whom no rule
 * above it applies get the default. No other flag is affected.
 */
export function compileFlag<Subject>(
  row: FlagRow,
  matchers: Matchers<Subject>,
  bucket: Bucket,
): FlagCompilation<Subject> {
  const fault = rowFault(row)
  if (fault) return { flag: null, faults: [fault] }
  const { rules, faults } = compileRules(row, matchers, bucket)
  const { id, key, env, type, isEnabled, defaultValue } = row
  const ruleCount = Array.isArray(row.rules) ? row.rules.length : 0
  return { flag: { id, key, env, type, isEnabled: isEnabled === true, defaultValue, rules, ruleCount }, faults }
}

function rowFault({ key, type, defaultValue }: FlagRow): Fault | null {
  if (typeof key !== 'string' || key === '') return { path: 'key', message: 'key must be a text' }
  const message = valueFault(type, defaultValue)
  return message === null ? null : { path: 'defaultValue', message: `defaultValue ${message}` }
}

function compileRules<Subject>(
  row: FlagRow,
  matchers: Matchers<Subject>,
  bucket: Bucket,
): { rules: CompiledRule<Subject>[]; faults: Fault[] } {
  const rules: CompiledRule<Subject>[] = []
  if (!Array.isArray(row.rules)) return { rules, faults: [{ path: 'rules', message: 'rules must be a list' }] }
  for (const [index, rule] of row.rules.entries()) {
    try {
      rules.push({ ...compileRule(row, rule, matchers), ...numbered(row, index, bucket) })
    } catch (thrown) {
      return { rules, faults: [{ path: `rules[${index}]`, message: messageOf(thrown) }] }
    }
  }
  return { rules, faults: [] }
}

const numbered = ({ key }: FlagRow, index: number, bucket: Bucket) => {
  const salt = saltOf(key, index)
  return { index, variant: `rule:${index}`, place: (id: string) => bucket(id, salt) }
}

/** The salt of the rollout of a rule. */
export const saltOf = (key: string, index: number): string => `${key}:${index}`

/** Throws when the stored rule is broken. */
function compileRule<Subject>(
  { type }: FlagRow,
  rule: FlagRule,
  matchers: Matchers<Subject>,
): Omit<CompiledRule<Subject>, 'index' | 'variant' | 'place'> {
  const message = valueFault(type, rule.value)
  if (message) throw new TypeError(`value ${message}`)
  const { audienceId, conditions, value, rolloutPercentage = null, bucketBy = null } = rule
  if (rolloutPercentage !== null && !Number.isFinite(rolloutPercentage))
    throw new TypeError('rolloutPercentage must be a number from 0 to 1')
  if (bucketBy !== null && !isAttributeName(bucketBy)) throw new TypeError(`bucketBy ${NAMES_AN_ATTRIBUTE}`)
  return {
    // Conditions first: a broken document is broken whether or not its audience is there.
    meetsConditions: conditions == null ? everyone : matchers.conditions(conditions),
    isInAudience: audienceId == null ? everyone : (matchers.audience(audienceId) ?? nobody),
    value,
    rolloutPercentage,
    bucketBy: bucketBy === null ? null : matchers.attribute(bucketBy),
  }
}

const everyone = (): boolean => true
const nobody = (): boolean => false
