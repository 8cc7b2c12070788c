import { canonicalJson } from '../../../base/lib/hash'
import { parseIso } from '../../../base/lib/time'
import { sharedKey, splitFlagName } from '../../../core/flag/names'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings'
import type { Pair } from '../../../projects/project-file/model'
import { gone, live, lost, newNamesOf } from '../../../projects/project-file/pair'
import { type Path, type Problem, problem } from '../../../projects/project-file/problem'
import type { Checking } from '../../../projects/project-file/section'
import { FLAGS } from '../../flags/project-file/check'
import { fixedMembers, moveExperiment } from '../actions'
import { endFaults } from '../check-details'
import { type ExperimentState, withOfferings } from '../file-state'
import { claimsKey } from '../key'
import { type Experiment, MAX_RUNNING } from '../stored-experiments'
import { EXPERIMENTS, type WantedExperiment } from './form'

type All = Checking<WantedExperiment, readonly Experiment[], ExperimentState>

/** Refuses keys that a flag has too, changes that the status forbids, too many running, and pruning those in use. */
export const checkExperiments = (all: All): Problem[] => [
  ...sharedKeys(all),
  ...moves(all),
  ...tooManyRunning(all),
  ...lost(EXPERIMENTS, gone(all.pairs), all.users),
]

/** Refuses changes that the status of an experiment forbids. An object with read problems is not compared. */
function moves({ pairs, rows, planned, now, isWhole }: All): Problem[] {
  const startedAt = new Map(rows.map((row) => [row.id, row.startedAt]))
  const offerings = newNamesOf(planned.of(OFFERINGS))
  return pairs.flatMap((pair): Problem[] => {
    if (pair.after === null) return refuseDeletion(pair).filter(({ path }) => isWhole(path))
    if (pair.path === null) return []
    const given = { ...pair, path: pair.path, after: pair.after }
    const refusal = refuseMove(given) ?? refuseEdit(given, (state) => withOfferings(state, offerings))
    if (refusal) return isWhole(pair.path) ? [refusal] : []
    const fixed = refuseFixed(given, startedAt.get(pair.id ?? '') ?? null)
    return [...fixed.filter(({ path }) => path.at(-1) !== 'type' || isWhole(path)), ...refuseEnded(given, now)]
  })
}

type Given = Pair<ExperimentState> & { path: Path; after: ExperimentState }

function refuseDeletion({ name, before }: Pair<ExperimentState>): Problem[] {
  const move = before && moveExperiment('delete', before.status)
  if (!move || move.isAllowed) return []
  const message = `experiment ${name} cannot be pruned: only a DRAFT can be deleted, and it is ${before.status}`
  return [problem([EXPERIMENTS.name], message, move.refusal, move.details)]
}

/** A file can only start an experiment; it cannot change the status in another way. */
function refuseMove({ path, before, after }: Given): Problem | null {
  const status = before?.status ?? 'DRAFT'
  const isStart = status === 'DRAFT' && after.status === 'RUNNING'
  if (after.status === status || isStart) return null
  const action = after.status === 'PAUSED' ? 'pause' : 'stop'
  const message = `A file can start an experiment, not ${action} it; this one is ${status}`
  return problem([...path, 'status'], message, 'EXPERIMENT_STATE', { action, status })
}

/** Refuses edits that the status forbids. The new name of a renamed offering is not an edit. */
function refuseEdit(
  { path, name, formerName, before, after }: Given,
  followed: (state: ExperimentState) => ExperimentState,
): Problem | null {
  if (before === null) return null
  const isSame = name === formerName && canonicalJson(followed(before)) === canonicalJson(after)
  const move = moveExperiment('edit', before.status)
  if (isSame || move.isAllowed) return null
  const message = `The experiment is ${before.status} and cannot be changed`
  return problem(path, message, move.refusal, move.details)
}

const PLACES = { key: 'was', type: 'type' } as const

function refuseFixed({ path, name, formerName, before, after }: Given, startedAt: number | null): Problem[] {
  if (before === null || formerName === null) return []
  const faults = fixedMembers({ key: formerName, type: before.type, startedAt }, { key: name, type: after.type })
  return faults.map((fault) => problem([...path, PLACES[fault.path as 'key' | 'type']], `The ${fault.message}`))
}

/** A file must not start an experiment whose end has passed: it would stop at once and could not start again. */
function refuseEnded({ path, before, after }: Given, now: number): Problem[] {
  if (after.status !== 'RUNNING' || before?.status === 'RUNNING' || after.scheduledStopAt === null) return []
  const faults = endFaults({ scheduledStopAt: parseIso(after.scheduledStopAt) }, now)
  return faults.map(({ message }) => problem([...path, 'scheduledStopAt'], `The ${message}`))
}

/** Refuses too many running experiments, but only if the file starts one: otherwise the file did not cause it. */
function tooManyRunning({ pairs }: All): Problem[] {
  const running = live(pairs).filter(({ after }) => after.status === 'RUNNING')
  const starts = running.some(({ before }) => before?.status !== 'RUNNING')
  if (!starts || running.length <= MAX_RUNNING) return []
  return [
    problem([EXPERIMENTS.name], `${running.length} experiments would run, but at most ${MAX_RUNNING}`, 'CONFLICT'),
  ]
}

/**
 * Refuses a key that both a flag and an experiment have: clients name only the key (wire 2.23). Keys that are already
 * saved for both are not reported, because the file did not cause that.
 */
function sharedKeys({ pairs, planned }: Pick<All, 'pairs' | 'planned'>): Problem[] {
  const byKey = Map.groupBy(live(planned.of(FLAGS)), ({ name }) => splitFlagName(name).key)
  return live(pairs).flatMap((experiment) => {
    const key = experiment.name
    const named = byKey.get(key)
    if (!named || !claimsKey(experiment.after.status)) return []
    const added = [experiment, ...named].find(({ name, formerName }) => name !== formerName)
    if (!added) return []
    const [section, taker] = added === experiment ? ([EXPERIMENTS, 'flag'] as const) : ([FLAGS, 'experiment'] as const)
    return [problem([section.name, key], sharedKey(key, taker), 'CONFLICT')]
  })
}
