import { MINUTE } from '../../base/lib/clock'
import type { ExperimentStatus, Variant } from './model'

/** How far the clock of a device may be ahead of the clock of the server. */
const MAX_AHEAD_MS = 5 * MINUTE

export interface ExposureFacts {
  /** Null when the project has no such experiment. */
  experiment: { status: ExperimentStatus; startedAt: number | null; variants: readonly Variant[] } | null
  variantId: string
  /** Null = the time of receipt. */
  exposedAt: number | null
  /** The saved assignment of this subscriber. */
  held: { variantId: string; exposedAt: number | null } | null
  now: number
}

/** What an accepted exposure writes; a repeated one writes nothing. */
export interface ExposureWrites {
  /** Whether the assignment is new, or replaces one whose variant was removed. */
  assignment: 'INSERT' | 'REPLACE' | null
  /** Set on the first exposure of this subscriber only; the event is recorded then. */
  exposedAt: number | null
}

export type Exposure =
  | ({ isAccepted: true; reason: 'FIRST' | 'REPEATED' } & ExposureWrites)
  | {
      isAccepted: false
      refusal: 'NOT_FOUND' | 'EXPERIMENT_NOT_RUNNING' | 'VALIDATION_ERROR' | 'exposure_out_of_range'
      /** For the refusals that name what to change. */
      message: string | null
    }

/** The checks of wire 2.14 in their order. */
export function decideExposure({ experiment, variantId, exposedAt, held, now }: ExposureFacts): Exposure {
  if (!experiment) return refuse('NOT_FOUND')
  if (experiment.status !== 'RUNNING') return refuse('EXPERIMENT_NOT_RUNNING')
  const isDeclared = (id: string): boolean => experiment.variants.some((variant) => variant.id === id)
  if (!isDeclared(variantId)) return refuse('VALIDATION_ERROR', 'variantId must name a variant of the experiment')
  const at = exposedAt ?? now
  if (!isInRange(at, experiment.startedAt, now)) return refuse('exposure_out_of_range')
  // An assignment whose variant was removed is drawn again, so it does not count.
  const isBinding = held !== null && isDeclared(held.variantId)
  if (isBinding && held.variantId !== variantId)
    return refuse('VALIDATION_ERROR', 'variantId must be the variant that the subscriber holds')
  const isFirst = (held?.exposedAt ?? null) === null
  const assignment = held === null ? 'INSERT' : isBinding ? null : 'REPLACE'
  return { isAccepted: true, reason: isFirst ? 'FIRST' : 'REPEATED', assignment, exposedAt: isFirst ? at : null }
}

function isInRange(at: number, startedAt: number | null, now: number): boolean {
  return at >= (startedAt ?? Number.NEGATIVE_INFINITY) && at <= now + MAX_AHEAD_MS
}

function refuse(refusal: Extract<Exposure, { isAccepted: false }>['refusal'], message: string | null = null): Exposure {
  return { isAccepted: false, refusal, message }
}
