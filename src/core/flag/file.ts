import { type AudienceNames, audienceName } from '../audience/file'
import { byName, type Content, objectsIn, sortDeep, withoutNulls } from '../project-file/content'
import { ENVIRONMENTS, type FlagEnvironment, type FlagType, splitFlagName } from './names'
import type { FlagRow, FlagRule } from './schema'

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

/** A flag with its environments, in the form of the file. */
export interface FlagEntry {
  type: FlagType
  environments: Partial<Record<FlagEnvironment, FlagState>>
}

type StoredFlag = Pick<FlagRow, 'type' | 'isEnabled' | 'defaultValue' | 'rules'> & { description: string | null }

export const flagState = (
  { type, description, isEnabled, defaultValue, rules }: StoredFlag,
  names: AudienceNames,
): FlagState => ({
  type,
  description,
  isEnabled,
  defaultValue,
  rules: objectsIn(rules).map((rule) => ruleState(rule, names)),
})

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

/** The content of the flags in an exported file, each key with its environments. */
export function flagsContent(saved: readonly { name: string; state: FlagState }[]): Content {
  const byKey = Map.groupBy(saved, ({ name }) => splitFlagName(name).key)
  return byName(
    [...byKey].map(([key, objects]) => {
      const environments = Object.fromEntries(objects.map(({ name, state }) => [splitFlagName(name).env, state]))
      return [key, flagContent({ type: objects[0]?.state.type ?? 'JSON', environments })]
    }),
  )
}

/** A flag as the file writes it. */
export const flagContent = ({ type, environments }: FlagEntry): Content => ({
  type,
  environments: Object.fromEntries(
    ENVIRONMENTS.flatMap((env) => {
      const state = environments[env]
      return state ? [[env, environmentContent(state)]] : []
    }),
  ),
})

const environmentContent = ({ description, isEnabled, defaultValue, rules }: FlagState): Content =>
  withoutNulls({
    description,
    enabled: isEnabled,
    default: sortDeep(defaultValue),
    rules: rules.length > 0 ? rules.map(ruleContent) : null,
  })

const ruleContent = ({ audience, conditions, value, rolloutPercentage, bucketBy }: FlagRuleState): Content =>
  withoutNulls({
    audience,
    conditions: sortDeep(conditions),
    value: sortDeep(value),
    rollout: rolloutPercentage,
    bucketBy,
  })
