import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { type EventRow, listEventsAboutAccess } from '../events/feed'
import { findPurchases, listPurchases, type PurchaseRow, purchaseAsOf } from '../purchases/holdings'
import type { AccessRule } from '../purchases/status'
import { listTransfers, type SubscriberRow } from '../subscribers/service'
import type { Entitlement } from './compute'
import { movedPurchases, ownedAt } from './explain-ownership'
import { entitlementsOf } from './service'

export interface ExplainedCandidate {
  /** As of the instant; as it is now where it was not bought yet. */
  purchase: PurchaseRow
  grants: boolean
  rule: AccessRule
}

export interface Explanation {
  /** The purchase that decides, also when it decides that there is no access; null when nothing was owned. */
  decidedBy: Entitlement | null
  candidates: ExplainedCandidate[]
  /** The subscriber's events about the candidates up to the instant, oldest first. */
  chain: { event: EventRow; isActiveAfter: boolean }[]
}

const MAX_EVENTS = 1000

/**
 * Why a subscriber has an access at an instant, or has not (wire 2.21): from what the stores had said by then as far
 * as it is known now, late news included, and from who owned what then.
 */
export async function explainAccess(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  access: string,
  at: number,
): Promise<Explanation> {
  if (subscriber.erasedAt !== null) return { decidedBy: null, candidates: [], chain: [] }
  const asked = (await recall(ctx, project, subscriber, at)).filter(({ row, past }) =>
    isAbout(project, past ?? row, access),
  )
  const owned = asked.flatMap(({ past, isOwned }) => (past && isOwned ? [past] : []))
  const entitlements = entitlementsOf(project, subscriber, owned, at)
  const decidedBy = entitlements.find((entitlement) => entitlement.access === access) ?? null
  const candidates = [...judged(decidedBy, owned), ...asked.flatMap(notInQuestion)]
  const events = await listEventsAboutAccess(ctx, subscriber.id, MAX_EVENTS)
  return { decidedBy, candidates, chain: chainOf(events, candidates, access, at) }
}

interface Recalled {
  row: PurchaseRow
  /** As of the instant; null while it was not bought. */
  past: PurchaseRow | null
  isOwned: boolean
}

/** Every purchase that is or ever was the subscriber's, as of an instant. */
async function recall(ctx: Context, project: ProjectState, subscriber: SubscriberRow, at: number): Promise<Recalled[]> {
  const transfers = await listTransfers(ctx, subscriber)
  const present = await listPurchases(ctx, subscriber.id)
  const moved = movedPurchases(transfers)
  for (const { id } of present) moved.delete(id)
  const gone = moved.size === 0 ? [] : await findPurchases(ctx, project.id, [...moved])
  const recalled: Recalled[] = []
  for (const row of [...present, ...gone]) {
    const isOwned = ownedAt(subscriber.id, row, transfers, at)
    const past = await purchaseAsOf(ctx, project, row, at)
    const subscriberId = isOwned ? subscriber.id : row.subscriberId
    recalled.push({ row, past: past && { ...past, subscriberId }, isOwned })
  }
  return recalled
}

function isAbout({ catalog }: ProjectState, { productId, accessIds }: PurchaseRow, access: string): boolean {
  const ids = accessIds ?? (productId === null ? undefined : catalog.products.get(productId))?.accessIds ?? []
  return ids.some((id) => catalog.access.get(id)?.identifier === access)
}

function judged(decidedBy: Entitlement | null, owned: readonly PurchaseRow[]): ExplainedCandidate[] {
  return (decidedBy?.candidates ?? []).flatMap(({ purchaseId, grants, rule }) => {
    const purchase = owned.find(({ id }) => id === purchaseId)
    return purchase ? [{ purchase, grants, rule }] : []
  })
}

function notInQuestion({ row, past, isOwned }: Recalled): ExplainedCandidate[] {
  if (!past) return [{ purchase: row, grants: false, rule: 'NOT_YET_BOUGHT' }]
  return isOwned ? [] : [{ purchase: past, grants: false, rule: 'NOT_OWNED' }]
}

/** What explain reads of an event's images, as `recordEvents` wrote them. */
interface Image {
  access?: Record<string, unknown>
  purchase?: { id: string } | null
}

function chainOf(
  events: readonly EventRow[],
  candidates: readonly ExplainedCandidate[],
  access: string,
  at: number,
): Explanation['chain'] {
  const ids = new Set(candidates.map(({ purchase }) => purchase.id))
  return events
    .filter((event) => event.occurredAt <= at && isEventAbout(event, ids, access))
    .map((event) => ({ event, isActiveAfter: Object.hasOwn((event.after as Image | null)?.access ?? {}, access) }))
}

function isEventAbout({ type, after, data }: EventRow, ids: ReadonlySet<string>, access: string): boolean {
  if (type.startsWith('entitlement.')) return data.access === access
  if (type.startsWith('purchase.')) return ids.has((after as Image | null)?.purchase?.id ?? '')
  return Array.isArray(data.purchaseIds) && data.purchaseIds.some((id) => ids.has(String(id)))
}
