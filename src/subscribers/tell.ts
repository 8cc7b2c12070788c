import type { Tx } from '../context'
import { balancesByCode } from '../currencies/service'
import { accessChange } from '../entitlements/service'
import type { EventCause } from '../events/model'
import { type EventDraft, recordEvents } from '../events/service'
import type { ProjectState } from '../projects/state'
import { listPurchases } from '../purchases/holdings'
import { type SubscriberRow, saveToldAccess } from './service'

export interface News {
  cause: EventCause
  drafts: readonly EventDraft[]
  /** Where the change moved them; else they are read, and the same before and after. */
  balancesBefore?: Record<string, number>
}

/**
 * Writes the events of a change of a subscriber: those given and, with them, what the purchases owned now do to
 * access. The row must be as the transaction left it.
 */
export async function tellSubscriber(tx: Tx, project: ProjectState, row: SubscriberRow, news: News): Promise<void> {
  const access = accessChange(tx, project, row, await listPurchases(tx, row.id))
  const balances = await balancesByCode(tx, project, row.id)
  await saveToldAccess(tx, row, access.after)
  const before = { access: access.before, balances: news.balancesBefore ?? balances }
  const after = { access: access.after, balances }
  const subject = { id: row.id, projectId: project.id, appUserId: row.appUserId }
  await recordEvents(tx, { subject, cause: news.cause, before, after }, [...news.drafts, ...access.drafts])
}

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
