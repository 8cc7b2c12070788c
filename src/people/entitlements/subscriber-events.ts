import type { Tx } from '../../base/context'
import { canonicalJson } from '../../base/lib/hash'
import type { JsonInteger } from '../../base/lib/int64'
import type { ProjectState } from '../../projects/project/state'
import { balancesByCode } from '../currencies/service'
import type { EventCause } from '../events/model'
import { type EventDraft, recordEvents, recordManyEvents, type SubscriberImage } from '../events/service'
import { type HeldPurchase, listHeldPurchases } from '../purchases/holdings'
import type { AccessMap } from '../subscribers/access-map'
import { type SubscriberRow, savePublishedAccess } from '../subscribers/service'
import { accessChange } from './service'

export interface News {
  cause: EventCause
  drafts: readonly EventDraft[]
  /** When absent, the balances are read and are the same before and after. */
  balances?: { before: Record<string, JsonInteger>; after?: Record<string, JsonInteger> }
  /** All purchases that the subscriber owns; when absent, they are read. */
  purchases?: readonly HeldPurchase[]
  /** The purchase whose product is in the catalogue only now. Events about access that it gives say so. */
  linkedPurchaseId?: string
}

/**
 * Writes the events of a change of a subscriber: the given drafts, and the changes of access that follow from the
 * purchases owned now. `row` must have the state that the transaction has written. Returns the access and the balances
 * after the change.
 */
export async function recordSubscriberEvents(
  tx: Tx,
  project: ProjectState,
  row: SubscriberRow,
  news: News,
): Promise<SubscriberImage> {
  const { change, drafts } = await toSubscriberChange(tx, project, row, news)
  await recordEvents(tx, change, drafts)
  await savePublished(tx, row, change, drafts)
  return change.after
}

export interface SubscriberNews extends News {
  row: SubscriberRow
}

/** Like `recordSubscriberEvents`, for many subscribers at once. Each is there once. */
export async function recordManySubscriberEvents(
  tx: Tx,
  project: ProjectState,
  all: readonly SubscriberNews[],
): Promise<void> {
  const changes = []
  for (const news of all) changes.push({ row: news.row, ...(await toSubscriberChange(tx, project, news.row, news)) })
  await recordManyEvents(tx, changes)
  for (const { row, change, drafts } of changes) await savePublished(tx, row, change, drafts)
}

async function toSubscriberChange(
  tx: Tx,
  project: ProjectState,
  row: SubscriberRow,
  { cause, drafts, balances, purchases, linkedPurchaseId }: News,
) {
  const access = accessChange(tx, project, row, purchases ?? (await listHeldPurchases(tx, row.id)))
  const after = { access: access.after, balances: balances?.after ?? (await balancesByCode(tx, project, row.id)) }
  const before = { access: access.before, balances: balances?.before ?? after.balances }
  const subject = { id: row.id, projectId: project.id, appUserId: row.appUserId }
  const told = isSameAccess(access.before, access.after) ? {} : { toldAccess: access.after }
  const all = [...drafts, ...access.drafts.map((draft) => withLink(draft, linkedPurchaseId))]
  return { change: { subject, cause, before, after, ...told }, drafts: all }
}

/** Events have saved the published access. Without one, its dates may still have changed. */
async function savePublished(
  tx: Tx,
  row: SubscriberRow,
  { after }: { after: SubscriberImage },
  drafts: readonly EventDraft[],
): Promise<void> {
  if (drafts.length === 0) await savePublishedAccess(tx, row, after.access)
  tx.afterCommit(() => tx.state.changeSignal.notify(row.id))
}

const withLink = (draft: EventDraft, purchaseId: string | undefined): EventDraft =>
  draft.type === 'entitlement.granted' && purchaseId !== undefined && draft.data.purchaseId === purchaseId
    ? { ...draft, data: { ...draft.data, linked: true } }
    : draft

/** Balances by currency code. Read them before a change, for the `before` of its events. */
export const balancesOf = (
  tx: Tx,
  project: ProjectState,
  { id }: SubscriberRow,
): Promise<Record<string, JsonInteger>> => balancesByCode(tx, project, id)

/** The plain texts are compared first, because they take a fraction of the time and are mostly the same. */
const isSameAccess = (a: AccessMap, b: AccessMap): boolean =>
  JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b)

interface TransferData {
  transferId: string
  fromSubscriberId: string
  toSubscriberId: string
  purchaseIds: string[]
  /** Currency code -> amount. */
  credits: Record<string, JsonInteger>
}

/** The event of one side of a transfer. The events of both sides have the same transfer id. */
export const transferred = (tx: Tx, role: 'FROM' | 'TO', data: TransferData): EventDraft => ({
  type: 'subscriber.transferred',
  occurredAt: tx.clock.now(),
  environment: 'PRODUCTION',
  data: { ...data, role },
})
