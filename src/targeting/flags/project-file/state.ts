import { nameOrNull, objectsIn } from '../../../projects/project-file/stored'
import type { FlagRule } from '../model'
import type { Flag } from '../service'
import type { FlagRuleState, FlagState } from './model'

/** What a flag names by id. */
export interface FlagNames {
  audiences: ReadonlyMap<string, string>
}

/** A saved flag of one environment in the words of the file; what somebody broke in it is left out. */
export const flagState = (
  { type, description, isEnabled, defaultValue, rules }: Flag,
  names: FlagNames,
): FlagState => ({
  type,
  description,
  isEnabled,
  defaultValue,
  rules: objectsIn(rules).map((rule) => ruleState(rule, names)),
})

const ruleState = (
  { audienceId, conditions, value, rolloutPercentage }: FlagRule,
  { audiences }: FlagNames,
): FlagRuleState => ({
  audience: nameOrNull(audiences, audienceId ?? null),
  conditions: (conditions ?? null) as Record<string, unknown> | null, // The language takes objects only.
  value,
  rolloutPercentage: rolloutPercentage ?? null,
})
