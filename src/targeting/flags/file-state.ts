import { type AudienceNames, audienceName } from '../audiences/file-state'
import type { FlagRule, FlagType } from './model'
import type { Flag } from './service'

/**
 * A flag in one environment as a project file writes it. Each environment has an object of its own, as it has a row.
 */
export interface FlagState {
  type: FlagType
  description: string | null
  isEnabled: boolean
  defaultValue: unknown
  rules: FlagRuleState[]
}

/** A rule that names its audience by name. */
export interface FlagRuleState {
  audience: string | null
  conditions: Record<string, unknown> | null
  value: unknown
  rolloutPercentage: number | null
  bucketBy: string | null
}

/** `new_checkout (PROD)`; keys have no spaces. */
export const flagName = (key: string, env: string): string => `${key} (${env})`

export const flagState = (
  { type, description, isEnabled, defaultValue, rules }: Flag,
  names: AudienceNames,
): FlagState => ({
  type,
  description,
  isEnabled,
  defaultValue,
  rules: objectsIn(rules).map((rule) => ruleState(rule, names)),
})

/**
 * The objects of a list. Anything else in it was written by hand into the tables, and a project file can correct it.
 */
export const objectsIn = <Each extends object>(list: readonly (Each | null)[]): Each[] =>
  Array.isArray(list) ? list.flatMap((each: Each | null) => (typeof each === 'object' && each ? each : [])) : []

const ruleState = (
  { audienceId, conditions, value, rolloutPercentage, bucketBy }: FlagRule,
  names: AudienceNames,
): FlagRuleState => ({
  audience: audienceName(audienceId ?? null, names),
  conditions: (conditions ?? null) as Record<string, unknown> | null, // Only objects can be saved here.
  value,
  rolloutPercentage: rolloutPercentage ?? null,
  bucketBy: bucketBy ?? null,
})
