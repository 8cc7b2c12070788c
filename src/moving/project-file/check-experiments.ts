import { canonicalJson } from '../../base/lib/hash'
import { parseIso } from '../../base/lib/time'
import { fixedMembers, moveExperiment } from '../../targeting/experiments/actions'
import { endFaults } from '../../targeting/experiments/check-details'
import { MAX_RUNNING } from '../../targeting/experiments/stored-experiments'
import type { TargetingRows } from './current-targeting'
import type { ExperimentState } from './model'
import { live, type Pair } from './pair'
import type { CatalogPlan } from './plan-catalog'
import { newNamesOf, type TargetingPlan, withOfferings } from './plan-targeting'
import { type Path, type Problem, problem } from './problem'

/** What must not become of experiments: the moves of their machine, and how many run at once. */
export function checkExperiments(
  plan: TargetingPlan,
  rows: TargetingRows,
  { offerings }: CatalogPlan,
  now: number,
): Problem[] {
  const startedAt = new Map(rows.experiments.map((row) => [row.id, row.startedAt]))
  const names = newNamesOf(offerings)
  const problems = plan.experiments.flatMap((pair): Problem[] => {
    if (pair.after === null) return refuseDeletion(pair)
    if (pair.path === null) return []
    const given = { ...pair, path: pair.path, after: pair.after }
    const refusal = refuseMove(given) ?? refuseEdit(given, (state) => withOfferings(state, names))
    if (refusal) return [refusal]
    return [...refuseFixed(given, startedAt.get(pair.id ?? '') ?? null), ...refuseEnded(given, now)]
  })
  return [...problems, ...tooManyRunning(plan)]
}

type Given = Pair<ExperimentState> & { path: Path; after: ExperimentState }

function refuseDeletion({ name, before }: Pair<ExperimentState>): Problem[] {
  const move = before && moveExperiment('delete', before.status)
  if (!move || move.isAllowed) return []
  const message = `experiment ${name} cannot be pruned: only a DRAFT can be deleted, and it is ${before.status}`
  return [problem(['experiments'], message, move.refusal, move.details)]
}

/** A file starts an experiment; it does nothing else to its status. */
function refuseMove({ path, before, after }: Given): Problem | null {
  const status = before?.status ?? 'DRAFT'
  const isStart = status === 'DRAFT' && after.status === 'RUNNING'
  if (after.status === status || isStart) return null
  const action = after.status === 'PAUSED' ? 'pause' : 'stop'
  const message = `A file can start an experiment, not ${action} it; this one is ${status}`
  return problem([...path, 'status'], message, 'EXPERIMENT_STATE', { action, status })
}

/** What a renamed offering brings with it is no edit. */
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

/** A file must not start what would be over at once, and for good. */
function refuseEnded({ path, before, after }: Given, now: number): Problem[] {
  if (after.status !== 'RUNNING' || before?.status === 'RUNNING' || after.scheduledStopAt === null) return []
  const faults = endFaults({ scheduledStopAt: parseIso(after.scheduledStopAt) }, now)
  return faults.map(({ message }) => problem([...path, 'scheduledStopAt'], `The ${message}`))
}

/** Only what the file adds to is counted: what runs already is nobody's mistake here. */
function tooManyRunning({ experiments }: TargetingPlan): Problem[] {
  const running = live(experiments).filter(({ after }) => after.status === 'RUNNING')
  const starts = running.some(({ before }) => before?.status !== 'RUNNING')
  if (!starts || running.length <= MAX_RUNNING) return []
  return [problem(['experiments'], `${running.length} experiments would run, but at most ${MAX_RUNNING}`, 'CONFLICT')]
}
