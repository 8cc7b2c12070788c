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
  /** The purchase at the instant; in its present state when it had not been bought by then. */
  purchase: PurchaseRow
  grants: boolean
  rule: AccessRule
}

export interface Explanation {
  /** The entitlement, also when it is inactive; null when no owned purchase could give the access. */
  decidedBy: Entitlement | null
  candidates: ExplainedCandidate[]
  /** The subscriber's events about the access and the candidates up to the instant, oldest first. */
  chain: { event: EventRow; isActiveAfter: boolean }[]
}

const MAX_EVENTS = 1000

/**
 * Why a subscriber has or does not have an access at an instant (wire 2.21). Computed from the store observations dated
 * up to then, including those that arrived later, and from the owners of the purchases at that instant.
 */
export async function explainAccess(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  access: string,
  at: number,
): Promise<Explanation> {
  if (subscriber.erasedAt !== null) return { decidedBy: null, candidates: [], chain: [] }
  const all = await readPurchasesAt(ctx, project, subscriber, at)
  const relevant = all.filter(({ row, past }) => isAbout(project, past ?? row, access))
  const owned = relevant.flatMap(({ past, isOwned }) => (past && isOwned ? [past] : []))
  const entitlements = entitlementsOf(project, subscriber, owned, at)
  const decidedBy = entitlements.find((entitlement) => entitlement.access === access) ?? null
  const candidates = [
    ...ownedCandidates(decidedBy, owned),
    ...relevant.flatMap(excludedCandidate),
    ...all.flatMap(unlistedCandidate),
  ]
  const events = await listEventsAboutAccess(ctx, subscriber.id, MAX_EVENTS)
  return { decidedBy, candidates, chain: chainOf(events, candidates, access, at) }
}

interface PurchaseAt {
  /** In its present state. */
  row: PurchaseRow
  /** In its state at the instant; null when it had not been bought by then. */
  past: PurchaseRow | null
  isOwned: boolean
}

/** Every purchase that the subscriber owns or once owned, in its state at an instant. */
async function readPurchasesAt(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  at: number,
): Promise<PurchaseAt[]> {
  const transfers = await listTransfers(ctx, subscriber)
  const present = await listPurchases(ctx, subscriber.id)
  const moved = movedPurchases(transfers)
  for (const { id } of present) moved.delete(id)
  const gone = moved.size === 0 ? [] : await findPurchases(ctx, project.id, [...moved])
  const purchases: PurchaseAt[] = []
  for (const row of [...present, ...gone]) {
    const isOwned = ownedAt(subscriber.id, row, transfers, at)
    // At the present instant the rows themselves count, as for the access that they give.
    const past = at >= ctx.clock.now() ? row : await purchaseAsOf(ctx, project, row, at)
    const subscriberId = isOwned ? subscriber.id : row.subscriberId
    purchases.push({ row, past: past && { ...past, subscriberId }, isOwned })
  }
  return purchases
}

function isAbout({ catalog }: ProjectState, { productId, accessIds }: PurchaseRow, access: string): boolean {
  const ids = accessIds ?? (productId === null ? undefined : catalog.products.get(productId))?.accessIds ?? []
  return ids.some((id) => catalog.access.get(id)?.identifier === access)
}

function ownedCandidates(decidedBy: Entitlement | null, owned: readonly PurchaseRow[]): ExplainedCandidate[] {
  return (decidedBy?.candidates ?? []).flatMap(({ purchaseId, grants, rule }) => {
    const purchase = owned.find(({ id }) => id === purchaseId)
    return purchase ? [{ purchase, grants, rule }] : []
  })
}

function excludedCandidate({ row, past, isOwned }: PurchaseAt): ExplainedCandidate[] {
  if (!past) return [{ purchase: row, grants: false, rule: 'NOT_YET_BOUGHT' }]
  return isOwned ? [] : [{ purchase: past, grants: false, rule: 'NOT_OWNED' }]
}

/** A purchase whose product the catalogue lacks could give any access as soon as it has the product. */
const unlistedCandidate = ({ past, isOwned }: PurchaseAt): ExplainedCandidate[] =>
  past && isOwned && past.productId === null && past.accessIds === null
    ? [{ purchase: past, grants: false, rule: 'NO_PRODUCT' }]
    : []

/** The members of an event's images that `explainAccess` reads; `recordEvents` writes the images. */
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
