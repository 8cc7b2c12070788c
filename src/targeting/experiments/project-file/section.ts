import type { RowChanges } from '../../../base/db/row-changes'
import { parseIso } from '../../../base/lib/time'
import { FUNNELS } from '../../../funnels/publication/project-file/form'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings'
import { objects } from '../../../projects/project-file/form'
import type { Pair } from '../../../projects/project-file/model'
import { changed, idOf, idOrNull, newNamesOf, planObjects, savedAs } from '../../../projects/project-file/pair'
import type { IdsByName, Planning, Section, Use, Writing } from '../../../projects/project-file/section'
import { AUDIENCES } from '../../audiences/project-file/form'
import { type ExperimentState, experimentState, withOfferings } from '../file-state'
import type { ExperimentStatus, Variant } from '../model'
import { type Experiment, listExperiments, writeExperiments } from '../stored-experiments'
import { checkExperiments } from './check'
import { EXPERIMENTS, experimentsContent, funnelOf, readExperiment, type WantedExperiment } from './form'

type Rows = readonly Experiment[]

/** The experiments of a project. A file can start them, but cannot change their status in another way. */
export const experimentSection: Section<WantedExperiment, Rows, ExperimentState, RowChanges<Experiment>> = {
  key: EXPERIMENTS,
  idPrefix: 'exp',
  holdsJson: true,
  parse: objects(readExperiment),
  load: ({ handle, project }) => listExperiments(handle, project.id),
  names: (rows) => new Map(rows.map(({ id, key }) => [id, key])),
  current: (rows, names) => {
    const named = { audiences: names.of(AUDIENCES), funnels: names.of(FUNNELS) }
    return rows.map((row) => savedAs(names.of(EXPERIMENTS), row.id, row.key, experimentState(row, named)))
  },
  plan: planExperiments,
  uses,
  check: checkExperiments,
  named: (key) => ({ key }),
  rows: experimentRows,
  write: writeExperiments,
  content: experimentsContent,
  leaves: ({ state: { status } }) => (status === null ? [['status']] : []),
}

function uses({ type, status, audience, variants }: ExperimentState): Use[] {
  const audiences = { of: AUDIENCES, names: audience === null ? [] : [audience] }
  if (type === 'FUNNEL') return [audiences, { of: FUNNELS, names: variants.map(funnelOf) }]
  if (type !== 'OFFERING' || status === 'COMPLETED') return [audiences]
  return [audiences, { of: OFFERINGS, names: variants.map(({ value }) => String(value)) }]
}

/** The experiments before and after the file is applied. Those outside the file get new names of renamed offerings. */
function planExperiments({
  wanted,
  saved,
  prune,
  planned,
}: Planning<WantedExperiment, Rows, ExperimentState>): Pair<ExperimentState>[] {
  const statuses = new Map(saved.map(({ name, state }) => [name, state.status]))
  const objects = wanted?.map(({ state, ...rest }) => {
    const status = laterOf(statuses.get(rest.name) ?? 'DRAFT', state.status ?? 'DRAFT')
    return { ...rest, state: { ...state, status } }
  })
  const offerings = newNamesOf(planned.of(OFFERINGS))
  return planObjects({ wanted: objects ?? null, saved, prune }).map((pair) =>
    pair.path === null && pair.after !== null ? { ...pair, after: withOfferings(pair.after, offerings) } : pair,
  )
}

const COURSE: readonly ExperimentStatus[] = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']

/** A status never goes back to an earlier one: an experiment that was started elsewhere keeps running. */
const laterOf = (saved: ExperimentStatus, wanted: ExperimentStatus): ExperimentStatus =>
  COURSE.indexOf(wanted) > COURSE.indexOf(saved) ? wanted : saved

/** The columns of a new experiment that a file cannot set. */
const NEW_EXPERIMENT = { placementId: null, startedAt: null, completedAt: null, winnerVariantId: null }

type Kept = Pick<Experiment, 'id' | 'key' | keyof typeof NEW_EXPERIMENT>

/** The rows of the experiments that a plan changes. */
function experimentRows({ pairs, rows, ids, now }: Writing<Rows, ExperimentState>): RowChanges<Experiment> {
  const saved = new Map(rows.map((row) => [row.id, row]))
  return changed(pairs, (id, key, state) =>
    experimentRow({ ...(saved.get(id) ?? NEW_EXPERIMENT), id, key }, state, ids, now),
  )
}

/** The columns that a file cannot set keep their values. */
const experimentRow = (
  { id, key, placementId, startedAt, completedAt, winnerVariantId }: Kept,
  state: ExperimentState,
  ids: IdsByName,
  now: number,
): Experiment => ({
  id,
  key,
  placementId,
  completedAt,
  winnerVariantId,
  name: state.name,
  type: state.type,
  status: state.status,
  audienceId: idOrNull(ids.of(AUDIENCES), state.audience),
  bucketBy: state.bucketBy,
  variants: state.type === 'FUNNEL' ? state.variants.map((variant) => withFunnelId(variant, ids)) : state.variants,
  metrics: state.metrics,
  mutualExclusionGroup: state.mutualExclusionGroup,
  scheduledStartAt: instantOf(state.scheduledStartAt),
  scheduledStopAt: instantOf(state.scheduledStopAt),
  startedAt: state.status === 'RUNNING' ? (startedAt ?? now) : startedAt,
})

const withFunnelId = (variant: Variant, ids: IdsByName): Variant => ({
  ...variant,
  value: { funnelId: idOf(ids.of(FUNNELS), funnelOf(variant)) },
})

const instantOf = (text: string | null): number | null => (text === null ? null : parseIso(text))
