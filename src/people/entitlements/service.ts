import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { Clock } from '../../base/lib/clock'
import type { ProjectState } from '../../projects/project/state'
import type { EventDraft } from '../events/service'
import { type HeldPurchase, listHeldPurchases } from '../purchases/holdings'
import type { AccessMap } from '../subscribers/access-map'
import type { SubscriberRow } from '../subscribers/service'
import {
  computeEntitlements,
  type Entitlement,
  type EntitlementGrant,
  entitlementsChangeAt,
  sandboxGrants,
  toAccessMap,
} from './compute'
import { entitlementEvents } from './diff'

type Reader = Handle & { clock: Clock }

/** A subscriber's access at an instant, and what it was computed from. */
export interface AccessNow {
  access: AccessMap
  at: number
  /** The next instant at which time alone may change the access; null = never. */
  changesAt: number | null
  /** All purchases that the subscriber owns. */
  purchaseIds: string[]
}

/** A subscriber's access now. Computed from the purchases and the clock, so an expiration takes effect at once. */
export const currentAccess = async (
  reader: Reader,
  project: ProjectState,
  subscriber: SubscriberRow,
): Promise<AccessMap> => (await accessNow(reader, project, subscriber)).access

/** Like `currentAccess`, but also returns what it was computed from. An erased subscriber has no access. */
export async function accessNow(reader: Reader, project: ProjectState, subscriber: SubscriberRow): Promise<AccessNow> {
  const purchases = subscriber.erasedAt === null ? await listHeldPurchases(reader, subscriber.id) : []
  const at = reader.clock.now()
  return {
    access: toAccessMap(entitlementsOf(project, subscriber, purchases, at)),
    at,
    changesAt: entitlementsChangeAt(
      purchases.map(({ fold }) => fold),
      at,
    ),
    purchaseIds: purchases.map(({ id }) => id),
  }
}

/** The access that purchases give a subscriber at an instant. */
export const toAccess = (
  project: ProjectState,
  subscriber: SubscriberRow,
  purchases: readonly HeldPurchase[],
  now: number,
): AccessMap => toAccessMap(entitlementsOf(project, subscriber, purchases, now))

/** The entitlements that purchases give a subscriber at an instant, each with its rule. */
export function entitlementsOf(
  project: ProjectState,
  subscriber: SubscriberRow,
  purchases: readonly HeldPurchase[],
  now: number,
): Entitlement[] {
  const { appUserId: label, deviceKey } = subscriber
  const question = {
    sandboxAccess: project.settings.sandboxAccess,
    sandboxTesters: project.settings.sandboxTesters,
    label,
    deviceKey,
  }
  return computeEntitlements(
    purchases.map((purchase) => toGrant(project, purchase)),
    now,
    sandboxGrants(question),
  )
}

function toGrant(
  { catalog }: ProjectState,
  { id, productId, accessIds, store, environment, fold }: HeldPurchase,
): EntitlementGrant {
  const product = productId === null ? undefined : catalog.products.get(productId)
  const ids = accessIds ?? product?.accessIds ?? []
  const accessIdentifiers = ids.flatMap((accessId) => catalog.access.get(accessId)?.identifier ?? [])
  return {
    purchaseId: id,
    accessIdentifiers,
    productIdentifier: product?.identifier ?? 'unknown',
    store,
    environment,
    fold,
  }
}

/** How a subscriber's access now differs from the published access, which is the access of the latest events. */
export interface AccessChange {
  before: AccessMap
  after: AccessMap
  drafts: EventDraft[]
}

/** Compares the published access with the access now. The caller must write the events and save `toldAccess`. */
export function accessChange(
  tx: Tx,
  project: ProjectState,
  subscriber: SubscriberRow,
  purchases: readonly HeldPurchase[],
): AccessChange {
  const now = tx.clock.now()
  const entitlements = subscriber.erasedAt === null ? entitlementsOf(project, subscriber, purchases, now) : []
  const environmentOf = new Map(purchases.map(({ id, environment }) => [id, environment]))
  const drafts = entitlementEvents(subscriber.toldAccess, entitlements).map(({ type, data }) => ({
    type,
    occurredAt: now,
    environment: environmentOf.get(data.purchaseId ?? '') ?? ('PRODUCTION' as const),
    data,
  }))
  return { before: subscriber.toldAccess, after: toAccessMap(entitlements), drafts }
}
