import { type Fault, type Matchers, type Matches, messageOf } from '../../base/lib/matches'
import { isAttributeName, NAMES_AN_ATTRIBUTE } from './bucket-by'
import type { CompiledFlag, CompiledRule, FlagCompilation, FlagRow, FlagRule } from './model'
import { valueFault } from './value'

/**
 * Compiles a stored flag. It never throws. A rule whose audience is missing is left out. A broken rule ends the list,
 * because the rules below it may be meant only for subscribers to whom it does not apply: those to whom no rule above
 * it applies get the default. No other flag is affected.
 */
export function compileFlag<Subject>(row: FlagRow, matchers: Matchers<Subject>): FlagCompilation<Subject> {
  const fault = rowFault(row)
  if (fault) return { flag: null, faults: [fault] }
  const { rules, faults } = compileRules(row, matchers)
  const { id, key, env, type, isEnabled, defaultValue } = row
  const flag: CompiledFlag<Subject> = {
    id,
    key,
    env,
    type,
    isEnabled: isEnabled === true,
    defaultValue,
    rules,
    hasRules: Array.isArray(row.rules) && row.rules.length > 0,
  }
  return { flag, faults }
}

function rowFault({ key, type, defaultValue }: FlagRow): Fault | null {
  if (typeof key !== 'string' || key === '') return { path: 'key', message: 'key must be a text' }
  const message = valueFault(type, defaultValue)
  return message === null ? null : { path: 'defaultValue', message: `defaultValue ${message}` }
}

function compileRules<Subject>(
  row: FlagRow,
  matchers: Matchers<Subject>,
): { rules: CompiledRule<Subject>[]; faults: Fault[] } {
  const rules: CompiledRule<Subject>[] = []
  if (!Array.isArray(row.rules)) return { rules, faults: [{ path: 'rules', message: 'rules must be a list' }] }
  for (const [index, rule] of row.rules.entries()) {
    try {
      const compiled = compileRule(row, rule, index, matchers)
      if (compiled) rules.push(compiled)
    } catch (thrown) {
      return { rules, faults: [{ path: `rules[${index}]`, message: messageOf(thrown) }] }
    }
  }
  return { rules, faults: [] }
}

/** Null when the audience is missing. Throws when the stored rule is broken. */
function compileRule<Subject>(
  row: FlagRow,
  rule: FlagRule,
  index: number,
  matchers: Matchers<Subject>,
): CompiledRule<Subject> | null {
  const message = valueFault(row.type, rule.value)
  if (message) throw new TypeError(`value ${message}`)
  const { rolloutPercentage = null } = rule
  if (rolloutPercentage !== null && !Number.isFinite(rolloutPercentage))
    throw new TypeError('rolloutPercentage must be a number from 0 to 1')
  const { bucketBy = null, value } = rule
  if (bucketBy !== null && !isAttributeName(bucketBy)) throw new TypeError(`bucketBy ${NAMES_AN_ATTRIBUTE}`)
  const matches = compileTargeting(rule, matchers)
  if (!matches) return null
  const read = bucketBy === null ? null : matchers.attribute(bucketBy)
  return { variant: `rule:${index}`, salt: `${row.key}:${index}`, matches, value, rolloutPercentage, bucketBy: read }
}

const everyone = (): boolean => true

function compileTargeting<Subject>(
  { audienceId, conditions }: FlagRule,
  matchers: Matchers<Subject>,
): Matches<Subject> | null {
  // Conditions first: a broken document is broken whether or not its audience is there.
  const meetsConditions = conditions == null ? everyone : matchers.conditions(conditions)
  const isInAudience = audienceId == null ? everyone : matchers.audience(audienceId)
  if (isInAudience === null || isInAudience === everyone) return isInAudience && meetsConditions
  if (meetsConditions === everyone) return isInAudience
  return (subject) => isInAudience(subject) && meetsConditions(subject)
}
