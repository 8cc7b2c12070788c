import { audienceMembers } from '../../../core/audience/file'
import { type FlagEntry, flagContent } from '../../../core/flag/file'
import { ENVIRONMENTS } from '../../../core/flag/names'
import { sortDeep } from '../../../core/project-file/content'
import { type FileDraft, filled } from '../../lib/file-draft'
import type { AudienceState } from './audiences/use-audience-edit'
import type { ExperimentState } from './experiments/model'
import type { FlagState, Rule } from './flags/model'
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
  /** The identifier. */
  offering: NameOf
}

export const audienceAsFile = ({ name, description, rules }: AudienceState): FileDraft => ({
  name,
  members: audienceMembers({ description: writtenText(description), rules }),
})

const writtenText = (text: string): string | null => (text.trim() === '' ? null : text)

/** Each environment of the file has the description; the form has one for all. */
export function flagAsFile({ type, ...state }: FlagState, names: Pick<GrowthNames, 'audience'>): FileDraft {
  const description = writtenText(state.description)
  const environments: FlagEntry['environments'] = {}
  for (const env of ENVIRONMENTS) {
    const own = state.environments[env]
    if (own) environments[env] = { ...own, type, description, rules: own.rules.map((rule) => fileRule(rule, names)) }
  }
  return { members: flagContent({ type, environments }) }
}

const fileRule = (
  { audienceId, conditions, value, rollout, bucketBy }: Rule,
  { audience }: Pick<GrowthNames, 'audience'>,
) => ({
  audience: audienceId === null ? null : audience(audienceId),
  conditions: conditions !== null && Object.keys(conditions).length === 0 ? null : conditions,
  ...{ value, rolloutPercentage: rollout, bucketBy },
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

function targetAsFile(target: Target | null, names: GrowthNames): unknown {
  if (target === null) return null
  if (target.type === 'funnel') return { funnel: names.funnel(target.funnelId) }
  if (target.type === 'offering') return { offering: names.offering(target.offeringId) }
  return target.type === 'experiment' ? { experiment: names.experiment(target.experimentId) } : 'none'
}
