import type { Variant } from '../../targeting/experiments/model'
import { readTargeting, splitFlagName, type TargetingRows, targetingNamesOf } from './current-targeting'
import type { AudienceState, ExperimentState, FlagRuleState, FlagState } from './model'
import { ENVIRONMENTS } from './parse-flags'
import { sortDeep } from './sorted'

type Members = Record<string, unknown>

/** The sections of audiences, flags and experiments; the default audience is everybody's, and stands in no file. */
export function targetingContent(rows: TargetingRows): Members {
  const own = { ...rows, audiences: rows.audiences.filter(({ isDefault }) => !isDefault) }
  const audiences = readTargeting(own, targetingNamesOf(own)).audiences
  const { flags, experiments } = readTargeting(rows, targetingNamesOf(rows))
  return {
    audiences: byName(audiences.map(({ name, state }) => [name, audienceContent(state)])),
    flags: byName(
      [...Map.groupBy(flags, ({ name }) => splitFlagName(name).key)].map(([key, pairs]) => [
        key,
        flagContent(new Map(pairs.map(({ name, state }) => [splitFlagName(name).env, state]))),
      ]),
    ),
    experiments: byName(experiments.map(({ name, state }) => [name, experimentContent(state)])),
  }
}

const byName = (objects: [name: string, content: Members][]): Members =>
  Object.fromEntries(objects.sort(([a], [b]) => (a < b ? -1 : 1)))

/** Without the members that are null or undefined: absent, they are the same. */
const given = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

const audienceContent = ({ description, rules }: AudienceState): Members =>
  given({ description, rules: sortDeep(rules) })

function flagContent(states: ReadonlyMap<string, FlagState>): Members {
  const [first] = states.values()
  const environments = ENVIRONMENTS.flatMap((env) => {
    const state = states.get(env)
    return state ? [[env, environmentContent(state)]] : []
  })
  return { type: first?.type, environments: Object.fromEntries(environments) }
}

const environmentContent = ({ description, isEnabled, defaultValue, rules }: FlagState): Members =>
  given({
    description,
    enabled: isEnabled,
    default: sortDeep(defaultValue),
    rules: rules.length > 0 ? rules.map(ruleContent) : null,
  })

const ruleContent = ({ audience, conditions, value, rolloutPercentage }: FlagRuleState): Members =>
  given({ audience, conditions: sortDeep(conditions), value: sortDeep(value), rollout: rolloutPercentage })

const experimentContent = ({ type, variants, metrics, ...state }: ExperimentState): Members =>
  given({
    name: state.name,
    type,
    audience: state.audience,
    metrics: metrics.length > 0 ? metrics : null,
    mutualExclusionGroup: state.mutualExclusionGroup,
    scheduledStartAt: state.scheduledStartAt,
    scheduledStopAt: state.scheduledStopAt,
    variants: variants.map((variant) => variantContent(type, variant)),
    status: state.status,
  })

const variantContent = (type: ExperimentState['type'], { id, name, weight, value }: Variant): Members => ({
  id,
  name,
  weight,
  ...(type === 'FUNNEL' ? (value as { funnel: string }) : { value: sortDeep(value) }),
})
