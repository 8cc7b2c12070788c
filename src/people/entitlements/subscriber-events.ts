import type { Tx } from '../../base/context'
import { canonicalJson } from '../../base/lib/hash'
import type { ProjectState } from '../../projects/project/state'
import { balancesByCode } from '../currencies/service'
import type { AccessMap } from '../events/access-map'
import type { EventCause } from '../events/model'
import { type EventDraft, recordEvents, type SubscriberImage } from '../events/service'
import { listPurchases, type PurchaseRow } from '../purchases/holdings'
import { type SubscriberRow, savePublishedAccess } from '../subscribers/service'
import { accessChange } from './service'

export interface News {
  cause: EventCause
  drafts: readonly EventDraft[]
  /** Where the caller knows them; else they are read, and the same before and after. */
  balances?: { before: Record<string, number>; after?: Record<string, number> }
  /** All that the subscriber owns, where the caller knows it. */
  purchases?: readonly PurchaseRow[]
}

/**
 * Writes the events of a change of a subscriber: those given and, with them, what the purchases owned now do to
 * access. The row must be as the transaction left it. Returns what the subscriber holds now.
 */
export async function recordSubscriberEvents(
  tx: Tx,
  project: ProjectState,
  row: SubscriberRow,
  { cause, drafts, balances, purchases }: News,
): Promise<SubscriberImage> {
  const access = accessChange(tx, project, row, purchases ?? (await listPurchases(tx, row.id)))
  const after = { access: access.after, balances: balances?.after ?? (await balancesByCode(tx, project, row.id)) }
  const before = { access: access.before, balances: balances?.before ?? after.balances }
  const subject = { id: row.id, projectId: project.id, appUserId: row.appUserId }
  const all = [...drafts, ...access.drafts]
  const told = isSameAccess(access.before, access.after) ? {} : { toldAccess: access.after }
  if (all.length > 0) await recordEvents(tx, { subject, cause, before, after, ...told }, all)
  else await savePublishedAccess(tx, row, access.after) // Only dates moved.
  tx.afterCommit(() => tx.state.changeSignal.notify(row.id))
  return after
}

/** Balances by currency code, for the events of a change that is still to come. */
export const balancesOf = (tx: Tx, project: ProjectState, { id }: SubscriberRow): Promise<Record<string, number>> =>
  balancesByCode(tx, project, id)

const isSameAccess = (a: AccessMap, b: AccessMap): boolean => canonicalJson(a) === canonicalJson(b)

interface TransferData {
  transferId: string
  fromSubscriberId: string
  toSubscriberId: string
  purchaseIds: string[]
  /** Currency code -> amount. */
  credits: Record<string, number>
}

/** What one side of a transfer is told; both sides carry the same transfer id. */
export const transferred = (tx: Tx, role: 'FROM' | 'TO', data: TransferData): EventDraft => ({
  type: 'subscriber.transferred',
  occurredAt: tx.clock.now(),
  environment: 'PRODUCTION',
  data: { ...data, role },
})
