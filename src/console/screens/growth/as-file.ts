import { type FileDraft, type FileMembers, filled, sortDeep, withoutNulls } from '../../lib/file-draft'
import type { AudienceState } from './audiences/use-audience-edit'
import type { ExperimentState } from './experiments/model'
import { ENVIRONMENTS, type EnvironmentState, type FlagState, type Rule } from './flags/model'
import type { PlacementState, Target } from './placements/model'
import { isObject } from './rules/model'

/** The name of an object by its id. */
type NameOf = (id: string) => string

export interface GrowthNames {
  audience: NameOf
  /** The slug. */
  funnel: NameOf
  /** The key. */
  experiment: NameOf
}

export const audienceAsFile = ({ name, description, rules }: AudienceState): FileDraft => ({
  name,
  members: { description: description.trim() === '' ? null : description, rules: sortDeep(rules) },
})

/** Each environment of the file has the description; the form has one for all. */
export function flagAsFile(state: FlagState, { audience }: Pick<GrowthNames, 'audience'>): FileDraft {
  const description = state.description.trim() === '' ? null : state.description
  const environments = ENVIRONMENTS.flatMap((env) => {
    const own = state.environments[env]
    return own ? [[env, environmentAsFile(own, description, audience)] as const] : []
  })
  return { members: { type: state.type, environments: Object.fromEntries(environments) } }
}

const environmentAsFile = (
  { isEnabled, defaultValue, rules }: EnvironmentState,
  description: string | null,
  audience: NameOf,
): FileMembers => ({
  ...withoutNulls({ description }),
  enabled: isEnabled,
  default: sortDeep(defaultValue),
  ...(rules.length > 0 && { rules: rules.map((rule) => ruleAsFile(rule, audience)) }),
})

const ruleAsFile = ({ audienceId, conditions, value, rollout, bucketBy }: Rule, audience: NameOf): FileMembers => ({
  ...withoutNulls({ audience: audienceId && audience(audienceId), conditions: filled(sortDeep(conditions)) }),
  value: sortDeep(value),
  ...withoutNulls({ rollout, bucketBy }),
})

/** The status is not in the form. The placement of an experiment is not in the file. */
export const experimentAsFile = (
  state: ExperimentState,
  names: Pick<GrowthNames, 'audience' | 'funnel'>,
): FileDraft => ({
  name: state.key,
  members: {
    name: state.name,
    type: state.type,
    audience: state.audienceId && names.audience(state.audienceId),
    bucketBy: filled(state.bucketBy),
    metrics: filled(state.metrics),
    mutualExclusionGroup: filled(state.mutualExclusionGroup),
    scheduledStartAt: state.scheduledStartAt,
    scheduledStopAt: state.scheduledStopAt,
    variants: state.variants.map(({ id, name, weight, value }) => ({
      ...{ id, name, weight },
      ...(state.type === 'FUNNEL' ? { funnel: funnelIn(value, names.funnel) } : { value: sortDeep(value) }),
    })),
    status: undefined,
  },
})

const funnelIn = (value: unknown, funnel: NameOf): string =>
  isObject(value) && typeof value.funnelId === 'string' ? funnel(value.funnelId) : ''

export const placementAsFile = (
  { identifier, name, isActive, rows }: PlacementState,
  names: GrowthNames,
): FileDraft => ({
  name: identifier,
  members: {
    name,
    isActive: isActive ? null : false,
    rows: filled(
      rows.map(({ audienceId, target }) => ({
        audience: audienceId ? names.audience(audienceId) : null,
        target: targetAsFile(target, names),
      })),
    ),
  },
})

function targetAsFile(target: Target, names: GrowthNames): unknown {
  if (target.type === 'funnel') return { funnel: names.funnel(target.funnelId) }
  return target.type === 'experiment' ? { experiment: names.experiment(target.experimentId) } : 'none'
}
