import { toIsoOrNull } from '../../base/lib/time'
import type { SavedFunnel } from '../../funnels/publication/service'
import type { Audience } from '../../targeting/audiences/service'
import { readMetrics, readVariants } from '../../targeting/experiments/json-columns'
import type { Variant } from '../../targeting/experiments/model'
import type { Experiment } from '../../targeting/experiments/stored-experiments'
import type { FlagRule } from '../../targeting/flags/model'
import type { Flag } from '../../targeting/flags/service'
import type { Placement } from '../../targeting/placements/service'
import type { Saved } from './current'
import type { AudienceState, ExperimentState, FlagRuleState, FlagState } from './model'

/** The rows of a project's audiences, flags, experiments, funnels and placements. */
export interface TargetingRows {
  audiences: readonly Audience[]
  flags: readonly Flag[]
  experiments: readonly Experiment[]
  funnels: readonly SavedFunnel[]
  placements: readonly Placement[]
}

/** What everything will be called, by id; flags by the key that they have now. */
export interface TargetingNames {
  audiences: ReadonlyMap<string, string>
  flags: ReadonlyMap<string, string>
  experiments: ReadonlyMap<string, string>
  funnels: ReadonlyMap<string, string>
  placements: ReadonlyMap<string, string>
}

/** The names as they are saved. */
export const targetingNamesOf = (rows: TargetingRows): TargetingNames => ({
  audiences: new Map(rows.audiences.map(({ id, name }) => [id, name])),
  flags: new Map(rows.flags.map(({ key }) => [key, key])),
  experiments: new Map(rows.experiments.map(({ id, key }) => [id, key])),
  funnels: new Map(rows.funnels.map(({ id, slug }) => [id, slug])),
  placements: new Map(rows.placements.map(({ id, identifier }) => [id, identifier])),
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
/** What an experiment names by id. */
export type ExperimentNames = Pick<TargetingNames, 'audiences' | 'funnels'>

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

/** What somebody broke in the tables is left out, so that a file can put it right. */
export const objectsIn = <Each extends object>(list: readonly (Each | null)[]): Each[] =>
  Array.isArray(list) ? list.flatMap((each: Each | null) => (typeof each === 'object' && each ? each : [])) : []

const ruleState = (
  { audienceId, conditions, value, rolloutPercentage }: FlagRule,
  names: AudienceNames,
): FlagRuleState => ({
  audience: audienceName(audienceId ?? null, names),
  conditions: (conditions ?? null) as Record<string, unknown> | null, // The language takes objects only.
  value,
  rolloutPercentage: rolloutPercentage ?? null,
})

export const experimentState = (row: Experiment, names: ExperimentNames): ExperimentState => ({
  name: row.name,
  type: row.type,
  audience: audienceName(row.audienceId, names),
  metrics: readMetrics(row.metrics),
  variants: readVariants(row.variants).map((variant) => (row.type === 'FUNNEL' ? withSlug(variant, names) : variant)),
  mutualExclusionGroup: row.mutualExclusionGroup,
  scheduledStartAt: toIsoOrNull(row.scheduledStartAt),
  scheduledStopAt: toIsoOrNull(row.scheduledStopAt),
  status: row.status,
})

/** A funnel that is gone keeps its id for a slug. */
function withSlug(variant: Variant, { funnels }: ExperimentNames): Variant {
  const { funnelId = '' } = { ...(variant.value as { funnelId?: string } | null) }
  return { ...variant, value: { funnel: funnels.get(funnelId) ?? funnelId } }
}

/** An audience that is gone keeps its id for a name: without one, the rule would be for everybody. */
export const audienceName = (id: string | null, names: AudienceNames): string | null =>
  id === null ? null : (names.audiences.get(id) ?? id)
