import { byName, type Content, sortDeep, withoutNulls } from '../../../projects/project-file/content'
import type { Saved } from '../../../projects/project-file/model'
import type { FlagRuleState, FlagState } from '../file-state'
import { ENVIRONMENTS, splitFlagName } from './model'

/** The content of the flags in an exported file, each key with its environments. */
export function flagsContent(saved: readonly Saved<FlagState>[]): Content {
  const byKey = Map.groupBy(saved, ({ name }) => splitFlagName(name).key)
  return byName(
    [...byKey].map(([key, objects]) => [
      key,
      flagContent(new Map(objects.map(({ name, state }) => [splitFlagName(name).env, state]))),
    ]),
  )
}

function flagContent(states: ReadonlyMap<string, FlagState>): Content {
  const [first] = states.values()
  const environments = ENVIRONMENTS.flatMap((env) => {
    const state = states.get(env)
    return state ? [[env, environmentContent(state)]] : []
  })
  return { type: first?.type, environments: Object.fromEntries(environments) }
}

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
