import type { Tx } from '../../base/context'
import type { JsonInteger } from '../../base/lib/int64'
import type { ProjectState } from '../../projects/project/state'
import { recordSubscriberEvents, transferred } from '../entitlements/subscriber-events'
import type { EventCause } from '../events/model'
import type { AllHandedOver, Handover, MovedParts } from './on-merge'

/** Amounts by currency id or by currency code. */
export type Amounts = Record<string, JsonInteger>

interface Outcome {
  cause: EventCause
  moved: MovedParts
  drafts: AllHandedOver['drafts']
  /** The balances of each side before the change, by currency code. */
  before: { from: Amounts; to: Amounts }
}

/** Writes the events of both sides: those of the slices and the transfer's own. Both rows must be in their new state. */
export async function recordBothSides(
  tx: Tx,
  { project, transferId, from, to }: Handover,
  { cause, moved, drafts, before }: Outcome,
): Promise<void> {
  const { purchaseIds = [], credits = {} } = moved
  const sides = { transferId, fromSubscriberId: from.id, toSubscriberId: to.id }
  const data = { ...sides, purchaseIds, credits: codesOf(project, credits) }
  await recordSubscriberEvents(tx, project, from, {
    cause,
    balances: { before: before.from },
    drafts: [...drafts.from, transferred(tx, 'FROM', data)],
  })
  await recordSubscriberEvents(tx, project, to, {
    cause,
    balances: { before: before.to },
    drafts: [...drafts.to, transferred(tx, 'TO', data)],
  })
}

/** Converts amounts by currency id to amounts by currency code, the form of events and answers. */
export const codesOf = ({ catalog }: ProjectState, credits: Amounts): Amounts =>
  Object.fromEntries(Object.entries(credits).map(([id, amount]) => [catalog.currencies.get(id)?.code ?? id, amount]))
