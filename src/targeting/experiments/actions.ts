import type { Fault } from '../../core/text/fault'
import type { ExperimentStatus, ExperimentType, Variant } from './model'

export type ExperimentAction = 'edit' | 'start' | 'pause' | 'resume' | 'stop' | 'delete' | 'duplicate'

const ALL: ExperimentStatus[] = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']

/** The statuses in which an action is allowed, and the status after it: `null` = deleted, `same` = unchanged. */
const ACTIONS: Record<ExperimentAction, { from: ExperimentStatus[]; to: ExperimentStatus | 'same' | null }> = {
  edit: { from: ['DRAFT', 'RUNNING'], to: 'same' },
  start: { from: ['DRAFT'], to: 'RUNNING' },
  pause: { from: ['RUNNING'], to: 'PAUSED' },
  resume: { from: ['PAUSED'], to: 'RUNNING' },
  stop: { from: ['RUNNING', 'PAUSED'], to: 'COMPLETED' },
  delete: { from: ['DRAFT'], to: null },
  // The copy is a DRAFT; the original does not change.
  duplicate: { from: ALL, to: 'same' },
}

/** The column for the instant of a move, if it has one. */
const STAMPS: Partial<Record<ExperimentAction, 'startedAt' | 'completedAt'>> = {
  start: 'startedAt',
  stop: 'completedAt',
}

export type Move =
  | { isAllowed: true; status: ExperimentStatus | null; sets: 'startedAt' | 'completedAt' | null }
  | { isAllowed: false; refusal: 'EXPERIMENT_STATE'; details: { action: ExperimentAction; status: ExperimentStatus } }

/** The status after an action (null = deleted), or 400 `EXPERIMENT_STATE`. */
export function moveExperiment(action: ExperimentAction, status: ExperimentStatus): Move {
  const { from, to } = ACTIONS[action]
  if (!from.includes(status)) return { isAllowed: false, refusal: 'EXPERIMENT_STATE', details: { action, status } }
  return { isAllowed: true, status: to === 'same' ? status : to, sets: STAMPS[action] ?? null }
}

export interface StopRequest {
  winnerVariantId?: string | null
  promoteToFlag?: boolean
}

export type Stop =
  | { isAllowed: true; winner: Variant | null; newFlagDefault: { value: unknown } | null }
  | { isAllowed: false; refusal: 'EXPERIMENT_STATE'; details: { action: 'stop'; status: ExperimentStatus } }
  | { isAllowed: false; refusal: 'promote_requires_flag_experiment'; details: { type: ExperimentType } }
  | { isAllowed: false; refusal: 'UNKNOWN_REFERENCES'; details: { resource: 'variant'; ids: string[] } }
  | { isAllowed: false; refusal: 'VALIDATION_ERROR'; fault: Fault }

/** Checks a stop and returns what it writes: the state is checked first, then the promotion, then the winner. */
export function stopExperiment(
  { type, status, variants }: { type: ExperimentType; status: ExperimentStatus; variants: readonly Variant[] },
  { winnerVariantId = null, promoteToFlag = false }: StopRequest,
): Stop {
  if (!moveExperiment('stop', status).isAllowed)
    return { isAllowed: false, refusal: 'EXPERIMENT_STATE', details: { action: 'stop', status } }
  if (promoteToFlag && type !== 'FLAG')
    return { isAllowed: false, refusal: 'promote_requires_flag_experiment', details: { type } }
  const winner = winnerVariantId === null ? null : findVariant(variants, winnerVariantId)
  if (winnerVariantId !== null && !winner)
    return { isAllowed: false, refusal: 'UNKNOWN_REFERENCES', details: { resource: 'variant', ids: [winnerVariantId] } }
  if (promoteToFlag && !winner) return { isAllowed: false, refusal: 'VALIDATION_ERROR', fault: NO_WINNER }
  return { isAllowed: true, winner, newFlagDefault: promoteToFlag && winner ? { value: winner.value } : null }
}

/** An experiment whose variants were broken by hand can still be stopped. */
const findVariant = (variants: readonly Variant[], id: string): Variant | null =>
  (Array.isArray(variants) && variants.find((variant: Variant | null) => variant?.id === id)) || null

const NO_WINNER: Fault = {
  path: 'winnerVariantId',
  message: 'winnerVariantId is needed to promote its value to the flag',
}

/**
 * Key and type cannot change after the start: the key is the salt of the draw, and the type says what the values are.
 */
export function fixedMembers(
  before: { key: string; type: ExperimentType; startedAt: number | null },
  change: { key?: string; type?: ExperimentType },
): Fault[] {
  if (before.startedAt === null) return []
  const names = (['key', 'type'] as const).filter((name) => change[name] !== undefined && change[name] !== before[name])
  return names.map((path) => ({ path, message: `${path} is fixed once the experiment has started; duplicate it` }))
}
