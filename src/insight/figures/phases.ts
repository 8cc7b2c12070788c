import { canRenew, isOver, isTakenBack, isTroubled, type PurchaseStatus } from '../../core/purchase/status'
import type { PurchaseState } from '../../people/purchases/model'
import { endReasonOf } from '../../people/purchases/status'
import type { ExpiryReason } from '../../stores/observation'
import type { ValueName, Values } from './model'

/** Where a subscription is in its life, whether or not it is paid for. */
export interface Phase {
  /** Null while nothing is bought, and for all that is no subscription. */
  status: PurchaseStatus | null
  /** It has not ended, and is to renew. */
  renews: boolean
  /** Why it ended; while it has not, why it would end if it ended now. */
  reason: ExpiryReason
}

export const NO_PHASE: Phase = { status: null, renews: false, reason: 'UNKNOWN' }

export function phaseOf(state: PurchaseState | null): Phase {
  if (state?.productType !== 'SUBSCRIPTION') return NO_PHASE
  const { status, autoRenews } = state
  return { status, renews: autoRenews && !isOver(status), reason: endReasonOf(state) }
}

type Whether = (phase: Phase) => boolean

const isActive: Whether = ({ status }) => status === 'ACTIVE'
const isPaused: Whether = ({ status }) => status === 'PAUSED'
const isToRenew: Whether = ({ renews }) => renews
const isExpired: Whether = ({ status }) => status === 'EXPIRED'
const isGrace: Whether = ({ status }) => status === 'GRACE_PERIOD'

/** A change of a phase, and the part of it that one product has. */
export interface PhaseStep {
  last: Phase
  next: Phase
  from: Phase
  to: Phase
}

/**
 * What a change counts for. Of a change between products that stays in a phase, the old product leaves and the new one
 * enters, and nothing has happened in the whole.
 */
export function phaseValues(step: PhaseStep): Values {
  const { last, next, from, to } = step
  const isCured = canRenew(next.status)
  const values: NewValues = {}
  addChange(values, 'active', step, isActive)
  addChange(values, 'paused', step, isPaused)
  addChange(values, 'renewing', step, isToRenew)
  addMove(values, step, ({ status }) => isTroubled(status), ['billingIn', isCured ? 'billingRecovered' : 'billingLost'])
  addMove(values, step, isGrace, ['graceIn', isCured ? 'graceRecovered' : 'graceLost'])
  addMove(values, step, isExpired, [END[(isExpired(to) ? to : from).reason], 'expiredOut'])
  addMove(values, step, ({ status }) => isTakenBack(status), ['endRefund', 'refundOut'])
  return to === next ? Object.assign(values, renewalValues(last, next)) : values
}

/** Values that are being gathered. This runs for every new purchase, and one object costs less than one for each value. */
type NewValues = { [Name in ValueName]?: number }

const changeOf = ({ from, to }: PhaseStep, is: Whether): number => Number(is(to)) - Number(is(from))

function addChange(values: NewValues, name: ValueName, step: PhaseStep, is: Whether): void {
  const change = changeOf(step, is)
  if (change !== 0) values[name] = change
}

function addMove(
  values: NewValues,
  step: PhaseStep,
  is: Whether,
  [entered, left]: readonly [entered: ValueName, left: ValueName],
): void {
  const change = changeOf(step, is)
  if (change === 0) return
  if (is(step.last) && !is(step.next)) values[left] = -change
  else values[entered] = change
}

/** What ended or was never bought was neither cancelled nor taken up again. */
function renewalValues(last: Phase, next: Phase): Values {
  if (last.status === null || isOver(last.status) || isOver(next.status) || last.renews === next.renews) return {}
  return next.renews ? { uncancelled: 1 } : { [CANCEL[next.reason] ?? 'cancelOther']: 1 }
}

const CANCEL: { readonly [Reason in ExpiryReason]?: ValueName } = {
  UNSUBSCRIBED: 'cancelVoluntary',
  BILLING_ERROR: 'cancelBilling',
  PRICE_INCREASE: 'cancelPrice',
}

const END: Readonly<Record<ExpiryReason, ValueName>> = {
  UNSUBSCRIBED: 'endVoluntary',
  BILLING_ERROR: 'endBilling',
  PRICE_INCREASE: 'endPrice',
  PRODUCT_UNAVAILABLE: 'endUnavailable',
  DEVELOPER: 'endDeveloper',
  REPLACED: 'endReplaced',
  PAUSED: 'endUnknown',
  UNKNOWN: 'endUnknown',
}

/** The value that also counts a paid subscription that left, by where it went; null = none of them. */
export function churnName({ status, reason }: Phase): ValueName | null {
  if (isTakenBack(status)) return 'churnRefund'
  if (status === 'BILLING_RETRY') return 'churnBilling'
  if (status !== 'EXPIRED') return null
  if (reason === 'BILLING_ERROR') return 'churnBilling'
  return reason === 'UNSUBSCRIBED' || reason === 'PRICE_INCREASE' ? 'churnVoluntary' : null
}

/** Whether the end of a subscription that was to renew is one of the clock only: its renewal is awaited. */
export const isDue = (last: Phase, next: Phase): boolean =>
  last.renews && next.status === 'EXPIRED' && next.reason === 'UNKNOWN'
