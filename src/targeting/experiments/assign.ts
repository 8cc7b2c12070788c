import { bucket, isHeldOut } from '../../base/lib/bucket'
import { HASH_VERSION, variantOf } from '../../core/bucket/bucket'
import { matchesOrTells } from '../../core/rules/matches'
import type { Fault } from '../../core/text/fault'
import type { CompiledExperiment, Variant } from './model'

// Which subscriber is in which experiment, with which variant (wire 5.4).

export interface AssignInput<Subject> {
  /** Every experiment of the project in its order. One that is PAUSED still occupies its exclusion group. */
  experiments: readonly CompiledExperiment<Subject>[]
  subject: Subject
  /** Null for an anonymous caller, who is in no holdout and draws on the client. */
  bucketingId: string | null
  /** Variant id by experiment id, of all that the subscriber holds. */
  held: ReadonlyMap<string, string>
  /** 0..100. */
  holdoutPercentage: number
}

/**
 * HELD: the saved variant. DRAWN: a new one. UNDRAWN: an anonymous caller who may draw. The others are the reasons
 * against it. Held-out subscribers get the control wherever one is used (null outside the audience), but no answer
 * names the experiment.
 */
export type Outcome =
  | { reason: 'HELD' | 'DRAWN'; variant: Variant }
  | { reason: 'HOLDOUT'; variant: Variant | null }
  | { reason: 'UNDRAWN' | 'NOT_RUNNING' | 'AUDIENCE'; variant: null }
  | { reason: 'EXCLUDED'; variant: null; by: string }

/** An assignment to save: insert or ignore, except where `replaces` names the variant of the row to be replaced. */
export interface Draw {
  experimentId: string
  variantId: string
  hashVersion: number
  /** A saved variant that the experiment no longer declares. */
  replaces: string | null
}

export interface Assigned {
  /** By experiment id, for every experiment given. */
  outcomes: Map<string, Outcome>
  draws: Draw[]
  /** Experiments whose audience could not be evaluated, by key. They are logged and never sent. */
  faults: Fault[]
}

/**
 * Decides every experiment in order. The draw depends on id, key and weights only, so repeating it gives the same
 * result.
 */
export function assign<Subject>(input: AssignInput<Subject>): Assigned {
  const { experiments, bucketingId, holdoutPercentage } = input
  const isOut = bucketingId !== null && isHeldOut(bucketingId, holdoutPercentage)
  const owners = groupOwners(experiments, input.held)
  const outcomes = new Map<string, Outcome>()
  const draws: Draw[] = []
  const faults: Fault[] = []
  for (const experiment of experiments) {
    const report = (message: string) => faults.push({ path: experiment.key, message })
    const isInAudience = () => matchesOrTells(experiment.matches, input.subject, report)
    const refused = whyNot(experiment, isInAudience, isOut, owners)
    const outcome = refused ?? variantFor(experiment, input, draws)
    outcomes.set(experiment.id, outcome)
    const isIn = !refused && outcome.reason !== 'AUDIENCE'
    if (isIn && experiment.mutualExclusionGroup) owners.set(experiment.mutualExclusionGroup, experiment)
  }
  return { outcomes, draws, faults }
}

/**
 * For each exclusion group the first experiment in order, RUNNING or PAUSED, in which the subscriber has an assignment.
 */
function groupOwners<Subject>(
  experiments: readonly CompiledExperiment<Subject>[],
  held: ReadonlyMap<string, string>,
): Map<string, CompiledExperiment<Subject>> {
  const owners = new Map<string, CompiledExperiment<Subject>>()
  for (const experiment of experiments) {
    const { id, status, mutualExclusionGroup: group } = experiment
    const isAlive = status === 'RUNNING' || status === 'PAUSED'
    if (group && isAlive && held.has(id) && !owners.has(group)) owners.set(group, experiment)
  }
  return owners
}

function whyNot<Subject>(
  experiment: CompiledExperiment<Subject>,
  isInAudience: () => boolean,
  isOut: boolean,
  owners: ReadonlyMap<string, CompiledExperiment<Subject>>,
): Outcome | null {
  const { status, variants, mutualExclusionGroup: group } = experiment
  const [control] = variants
  if (status !== 'RUNNING') return { reason: 'NOT_RUNNING', variant: null }
  const isOpen = control !== undefined && isInAudience()
  if (isOut) return { reason: 'HOLDOUT', variant: isOpen ? control : null }
  if (!isOpen) return { reason: 'AUDIENCE', variant: null }
  const owner = group ? owners.get(group) : undefined
  return owner && owner.id !== experiment.id ? { reason: 'EXCLUDED', variant: null, by: owner.key } : null
}

function variantFor<Subject>(
  experiment: CompiledExperiment<Subject>,
  { bucketingId, held, subject }: AssignInput<Subject>,
  draws: Draw[],
): Outcome {
  const { id, key, variants, weights, bucketBy } = experiment
  // A device that svc does not know has no attributes, and so none that the client could draw by.
  if (bucketingId === null) return bucketBy === null ? { reason: 'UNDRAWN', variant: null } : OUTSIDE
  const saved = held.get(id)
  const kept = variants.find((variant) => variant.id === saved)
  if (kept) return { reason: 'HELD', variant: kept }
  const drawnBy = bucketBy === null ? bucketingId : bucketBy(subject)
  const drawn = drawnBy === undefined ? undefined : variants[variantOf(bucket(drawnBy, key), weights)]
  if (!drawn) return OUTSIDE
  draws.push({ experimentId: id, variantId: drawn.id, hashVersion: HASH_VERSION, replaces: saved ?? null })
  return { reason: 'DRAWN', variant: drawn }
}

const OUTSIDE: Outcome = { reason: 'AUDIENCE', variant: null }

/** What the configuration states about one experiment. */
export interface ExperimentAnswer {
  experimentId: string
  key: string
  type: CompiledExperiment<never>['type']
  variantId: string
  variantName: string
  value: unknown
}

/** Answers for the experiments that the subscriber is in, in order; those that they are held out of are left out. */
export function experimentAnswers<Subject>(
  experiments: readonly CompiledExperiment<Subject>[],
  { outcomes }: Assigned,
): ExperimentAnswer[] {
  return experiments.flatMap(({ id, key, type }) => {
    const outcome = outcomes.get(id)
    if (outcome?.reason !== 'HELD' && outcome?.reason !== 'DRAWN') return []
    const { id: variantId, name: variantName, value } = outcome.variant
    return [{ experimentId: id, key, type, variantId, variantName, value }]
  })
}
