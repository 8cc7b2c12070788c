import type { ExperimentStatus } from '../../targeting/experiments/model'
import type { Saved } from './current'
import {
  flagName,
  readTargeting,
  type SavedTargeting,
  type TargetingNames,
  type TargetingRows,
} from './current-targeting'
import type {
  AudienceState,
  ExperimentState,
  FlagEntry,
  FlagState,
  FunnelState,
  PlacementState,
  ProjectFile,
  Wanted,
} from './model'
import { type Pair, pairUp } from './pair'
import { ENVIRONMENTS } from './parse-flags'
import type { CatalogPlan } from './plan-catalog'
import { planShown } from './plan-shown'

export interface TargetingPlan {
  audiences: Pair<AudienceState>[]
  /** One for each key and environment. */
  flags: Pair<FlagState>[]
  experiments: Pair<ExperimentState>[]
  funnels: Pair<FunnelState>[]
  placements: Pair<PlacementState>[]
}

/** Audiences, flags, experiments, funnels and placements before and after the file; what must not be is found by `checkTargeting`. */
export function planTargeting(
  file: ProjectFile,
  rows: TargetingRows,
  names: TargetingNames,
  { offerings }: CatalogPlan,
  prune: boolean,
): TargetingPlan {
  const saved = readTargeting(rows, names)
  const defaultIds = new Set(rows.audiences.filter(({ isDefault }) => isDefault).map(({ id }) => id))
  const unlessDefault = ({ id, state }: Saved<AudienceState>) => (defaultIds.has(id) ? state : null)
  return {
    audiences: pairUp(saved.audiences, file.audiences, prune ? unlessDefault : null),
    flags: pairUp(saved.flags, flatten(file.flags), prune ? () => null : null),
    experiments: pairExperiments(saved, file, newNamesOf(offerings), prune),
    ...planShown(file, rows, names, offerings, prune),
  }
}

/** Every environment of a flag is an object of its own. */
const flatten = (flags: ProjectFile['flags']): Wanted<FlagState>[] | null => flags?.flatMap(environmentsOf) ?? null

const environmentsOf = ({ name, was, path, state }: Wanted<FlagEntry>): Wanted<FlagState>[] =>
  ENVIRONMENTS.flatMap((env) => {
    const found = state.environments[env]
    if (!found) return []
    const formerName = was === null ? null : flagName(was, env)
    return [{ name: flagName(name, env), was: formerName, path: [...path, 'environments', env], state: found }]
  })

type NewNames = ReadonlyMap<string, string>

/** What every saved object of a section will be called, by what it is called now. */
export const newNamesOf = (pairs: readonly Pair<unknown>[]): NewNames =>
  new Map(pairs.flatMap(({ name, formerName }) => (formerName === null ? [] : [[formerName, name]])))

function pairExperiments(
  saved: SavedTargeting,
  { experiments }: ProjectFile,
  offerings: NewNames,
  prune: boolean,
): Pair<ExperimentState>[] {
  const statuses = new Map(saved.experiments.map(({ name, state }) => [name, state.status]))
  const wanted = experiments?.map(({ state, ...rest }): Wanted<ExperimentState> => {
    const status = laterOf(statuses.get(rest.name) ?? 'DRAFT', state.status ?? 'DRAFT')
    return { ...rest, state: { ...state, status } }
  })
  const pairs = pairUp(saved.experiments, wanted ?? null, prune ? () => null : null)
  return pairs.map((pair) =>
    pair.path === null && pair.after !== null ? { ...pair, after: withOfferings(pair.after, offerings) } : pair,
  )
}

const COURSE: readonly ExperimentStatus[] = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']

/** A status never moves backwards: an experiment that was started elsewhere goes on. */
const laterOf = (saved: ExperimentStatus, wanted: ExperimentStatus): ExperimentStatus =>
  COURSE.indexOf(wanted) > COURSE.indexOf(saved) ? wanted : saved

/** The same experiment after offerings have got new names. */
export const withOfferings = (state: ExperimentState, names: NewNames): ExperimentState =>
  state.type !== 'OFFERING'
    ? state
    : {
        ...state,
        variants: state.variants.map((variant) => ({
          ...variant,
          value: names.get(String(variant.value)) ?? variant.value,
        })),
      }
