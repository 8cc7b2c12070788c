import { matchesOrTells } from '../../core/rules/matches'
import type { Fault } from '../../core/text/fault'
import type { OfferingView } from '../../projects/catalog/wire'
import type { Outcome } from '../experiments/assign'
import type { CompiledExperiment, Variant } from '../experiments/model'
import { experimentDocument, funnelDocument, type Place } from './documents'
import type { CompiledPlacement, LoadedFunnel, PlacementReason, PlacementTarget, Resolution, RowReason } from './model'

// What a placement shows to a caller (wire 5.8 and 2.12). Nothing is written: no assignment, no exposure.

export interface PlacementCaller<Subject> {
  /** For an anonymous caller a subject without attributes. */
  subject: Subject
  /** The subscriber's first device key; null for an anonymous caller. */
  bucketingId: string | null
  /** The device key of the call; null when none was sent. */
  deviceKey: string | null
  /** What `assign` decided for this caller, by experiment id. */
  outcomes: ReadonlyMap<string, Outcome>
}

/** What is needed of a caller once the audience of a row has matched. */
type Deciding = Omit<PlacementCaller<never>, 'subject'>

export interface PlacementWorld<Funnel extends LoadedFunnel> {
  experiments: ReadonlyMap<string, CompiledExperiment<never>>
  /** Published funnels whose version could be loaded, in the caller's locale. */
  funnels: { get(id: string): Funnel | undefined }
  offerings: { get(id: string): OfferingView | undefined }
}

/** The first row that matches and whose target is usable; the target `none` is usable. */
export function resolvePlacement<Subject, Funnel extends LoadedFunnel>(
  placement: CompiledPlacement<Subject> | null,
  caller: PlacementCaller<Subject>,
  world: PlacementWorld<Funnel>,
): Resolution<Funnel> {
  if (!placement?.isActive) {
    const reason = placement ? 'INACTIVE' : 'UNKNOWN'
    return { answer: { placement: null, ...NOTHING }, reason, row: null, passed: [], faults: [] }
  }
  const { identifier, revision } = placement
  const answer = { placement: { identifier, revision }, ...NOTHING }
  const passed: RowReason[] = []
  const faults: Fault[] = []
  for (const [row, candidate] of placement.rows.entries()) {
    const report = (message: string) => faults.push({ path: `rows[${row}]`, message })
    const isForCaller = matchesOrTells(candidate.matches, caller.subject, report)
    const found = isForCaller ? tryTarget(candidate.target, answer.placement, caller, world) : 'AUDIENCE'
    if (typeof found === 'object')
      return { answer: { ...answer, ...found.presented }, reason: found.reason, row, passed, faults }
    passed.push(found)
  }
  return { answer, reason: 'NO_ROW', row: null, passed, faults }
}

const NOTHING = { funnel: null, experiment: null, offering: null }

interface Found<Funnel extends LoadedFunnel> {
  reason: PlacementReason
  presented: Partial<Omit<Resolution<Funnel>['answer'], 'placement'>>
}

function tryTarget<Funnel extends LoadedFunnel>(
  target: PlacementTarget,
  place: Place,
  caller: Deciding,
  world: PlacementWorld<Funnel>,
): Found<Funnel> | RowReason {
  if (target.type === 'none') return { reason: 'NONE', presented: {} }
  if (target.type === 'experiment') return tryExperiment(target.experimentId, place, caller, world)
  if (target.type === 'offering') {
    const offering = world.offerings.get(target.offeringId)
    return offering ? { reason: 'OFFERING', presented: { offering } } : 'OFFERING_MISSING'
  }
  const funnel = world.funnels.get(target.funnelId)
  return funnel ? { reason: 'FUNNEL', presented: { funnel: funnelDocument(place, funnel) } } : 'FUNNEL_NOT_LOADABLE'
}

/**
 * An experiment that the caller may not take part in is no usable target: a client would draw a variant and report an
 * exposure.
 */
function tryExperiment<Funnel extends LoadedFunnel>(
  id: string,
  place: Place,
  caller: Deciding,
  { experiments, funnels }: PlacementWorld<Funnel>,
): Found<Funnel> | RowReason {
  const experiment = experiments.get(id)
  const outcome = caller.outcomes.get(id)
  if (!experiment || !outcome) return 'EXPERIMENT_MISSING'
  if (experiment.type !== 'FUNNEL') return 'EXPERIMENT_NOT_OVER_FUNNELS'
  if (isRefusal(outcome)) return REFUSALS[outcome.reason]
  if (outcome.reason === 'HOLDOUT' && outcome.variant === null) return 'EXPERIMENT_AUDIENCE'
  const loaded = experiment.variants.map((variant) => funnels.get(funnelIdOf(variant)) ?? null)
  const sent = loaded.filter((funnel) => funnel !== null)
  const [first] = sent
  if (!first) return 'FUNNEL_NOT_LOADABLE'
  if (outcome.reason === 'HOLDOUT') return { reason: 'HOLDOUT', presented: { funnel: funnelDocument(place, first) } }
  if (sent.length < loaded.length)
    return { reason: 'FIRST_LOADABLE', presented: { funnel: funnelDocument(place, first) } }
  return {
    reason: 'EXPERIMENT',
    presented: {
      experiment: experimentDocument(
        place,
        experiment,
        sent,
        caller.bucketingId,
        decidedFor(caller, outcome, experiment),
      ),
    },
  }
}

const REFUSALS = {
  NOT_RUNNING: 'EXPERIMENT_NOT_RUNNING',
  AUDIENCE: 'EXPERIMENT_AUDIENCE',
  EXCLUDED: 'EXPERIMENT_EXCLUDED',
} as const satisfies Partial<Record<Outcome['reason'], RowReason>>

const isRefusal = (outcome: Outcome): outcome is Outcome & { reason: keyof typeof REFUSALS } =>
  Object.hasOwn(REFUSALS, outcome.reason)

/** Empty for a value that names no funnel; no funnel has an empty id. */
function funnelIdOf({ value }: Variant): string {
  const named = typeof value === 'object' && value !== null && 'funnelId' in value ? value.funnelId : null
  return typeof named === 'string' ? named : ''
}

/**
 * The variant that the client must use instead of drawing: the subscriber holds it already, or the device key of the
 * call would draw another one.
 */
function decidedFor(
  caller: Deciding,
  outcome: Outcome,
  { bucketBy }: Pick<CompiledExperiment<never>, 'bucketBy'>,
): string | null {
  const drawsAlike = caller.bucketingId === caller.deviceKey && bucketBy === null
  const isOpen = outcome.reason === 'UNDRAWN' || (outcome.reason === 'DRAWN' && drawsAlike)
  return isOpen ? null : (outcome.variant?.id ?? null)
}
