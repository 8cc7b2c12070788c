import type { Audience } from '../../audiences/service'
import type { Experiment } from '../../experiments/admin'
import type { FlagRule } from '../../flags/model'
import type { Flag } from '../../flags/service'
import { toIsoOrNull } from '../../lib/time'
import type { Saved } from './current'
import type { AudienceState, ExperimentState, FlagRuleState, FlagState } from './model'

/** The rows of a project's audiences, flags and experiments. */
export interface TargetingRows {
  audiences: readonly Audience[]
  flags: readonly Flag[]
  experiments: readonly Experiment[]
}

/** What everything will be called: audiences and experiments by id, flags by the key that they have now. */
export interface TargetingNames {
  audiences: ReadonlyMap<string, string>
  flags: ReadonlyMap<string, string>
  experiments: ReadonlyMap<string, string>
}

/** The names as they are saved. */
export const targetingNamesOf = ({ audiences, flags, experiments }: TargetingRows): TargetingNames => ({
  audiences: new Map(audiences.map(({ id, name }) => [id, name])),
  flags: new Map(flags.map(({ key }) => [key, key])),
  experiments: new Map(experiments.map(({ id, key }) => [id, key])),
})

export interface SavedTargeting {
  audiences: Saved<AudienceState>[]
  /** One for each key and environment. */
  flags: Saved<FlagState>[]
  experiments: Saved<ExperimentState>[]
}

/** `new_checkout (PROD)`; keys have no spaces. */
export const flagName = (key: string, env: string): string => `${key} (${env})`

/** The other way round. */
export function splitFlagName(name: string): { key: string; env: string } {
  const at = name.lastIndexOf(' ')
  return { key: name.slice(0, at), env: name.slice(at + 2, -1) }
}

/** Audiences, flags and experiments in the words of the file, under the given names. */
export function readTargeting(rows: TargetingRows, names: TargetingNames): SavedTargeting {
  return {
    audiences: rows.audiences.map(({ id, name, description, rules }) => ({
      id,
      name: names.audiences.get(id) ?? name,
      formerName: name,
      state: { description, rules },
    })),
    flags: rows.flags.map((row) => ({
      id: row.id,
      name: flagName(names.flags.get(row.key) ?? row.key, row.env),
      formerName: flagName(row.key, row.env),
      state: flagState(row, names),
    })),
    experiments: rows.experiments.map((row) => ({
      id: row.id,
      name: names.experiments.get(row.id) ?? row.key,
      formerName: row.key,
      state: experimentState(row, names),
    })),
  }
}

type AudienceNames = Pick<TargetingNames, 'audiences'>

export const flagState = (
  { type, description, isEnabled, defaultValue, rules }: Flag,
  names: AudienceNames,
): FlagState => ({
  type,
  description,
  isEnabled,
  defaultValue,
  rules: rules.map((rule) => ruleState(rule, names)),
})

const ruleState = (
  { audienceId, conditions, value, rolloutPercentage }: FlagRule,
  names: AudienceNames,
): FlagRuleState => ({
  audience: audienceName(audienceId ?? null, names),
  conditions: (conditions ?? null) as Record<string, unknown> | null, // The language takes objects only.
  value,
  rolloutPercentage: rolloutPercentage ?? null,
})

export const experimentState = (row: Experiment, names: AudienceNames): ExperimentState => ({
  name: row.name,
  type: row.type,
  audience: audienceName(row.audienceId, names),
  metrics: row.metrics,
  variants: row.variants,
  mutualExclusionGroup: row.mutualExclusionGroup,
  scheduledStartAt: toIsoOrNull(row.scheduledStartAt),
  scheduledStopAt: toIsoOrNull(row.scheduledStopAt),
  status: row.status,
})

/** An audience that is gone keeps its id for a name: without one, the rule would be for everybody. */
const audienceName = (id: string | null, names: AudienceNames): string | null =>
  id === null ? null : (names.audiences.get(id) ?? id)
