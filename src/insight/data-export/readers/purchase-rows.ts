import { and, asc, eq, exists, gte, inArray, lt, or } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { ExportedColumn } from '../../../people/purchases/columns'
import type { PurchaseFold } from '../../../people/purchases/model'
import type { ProjectState } from '../../../projects/project/state'
import { jsonCell } from './json-cell'
import { type Owner, ownersOf } from './owners'
import type { ReadScope } from './reader'
import { nextPurchaseIds } from './steps'

type Stored = Handle['tables']['purchases']['$inferSelect']

/** A purchase with its owner. The fold is null when its stored text cannot be read. */
export type FoundPurchase = Pick<Stored, Exclude<ExportedColumn, 'accessIds' | 'fold'>> & {
  accessIds: readonly string[] | null
  fold: PurchaseFold | null
  owner: Owner
}

/** The next purchases of a project with their owners: those of the window, and the position behind them. */
export async function nextPurchases(
  handle: Handle,
  scope: ReadScope,
  after: string | null,
  size: number,
): Promise<{ purchases: FoundPurchase[]; next: string | null; seen: number }> {
  const ids = await nextPurchaseIds(handle, scope.project.id, after, size)
  const rows = ids.length === 0 ? [] : await listPurchases(handle, ids, scope)
  const owners = await ownersOf(
    handle,
    rows.map(({ subscriberId }) => subscriberId),
  )
  const purchases = rows.map((row) => ({ ...row, owner: owners.get(row.subscriberId) ?? nobody(row) }))
  return { purchases, next: ids.length < size ? null : (ids.at(-1) ?? null), seen: ids.length }
}

/** A row has columns of its owner, so it has changed too when only the owner has. */
async function listPurchases({ db, tables }: Handle, ids: readonly string[], { window }: ReadScope) {
  const { purchases: p, subscribers: o } = tables
  const changedOwners = (from: number) =>
    db
      .select({ id: o.id })
      .from(o)
      .where(and(eq(o.id, p.subscriberId), gte(o.updatedAt, from)))
  const isChanged =
    window.from === null ? undefined : or(gte(p.updatedAt, window.from), exists(changedOwners(window.from)))
  return db
    .select({
      ...{ id: p.id, subscriberId: p.subscriberId, store: p.store, environment: p.environment, chainKey: p.chainKey },
      ...{ productId: p.productId, originalTransactionId: p.originalTransactionId, accessIds: jsonCell(p.accessIds) },
      ...{ status: p.status, fold: jsonCell(p.fold), effectiveEnd: p.effectiveEnd },
      ...{ createdAt: p.createdAt, updatedAt: p.updatedAt },
    })
    .from(p)
    .where(and(inArray(p.id, [...ids]), isChanged, lt(p.createdAt, window.to)))
    .orderBy(asc(p.id))
}

/** The row of the subscriber is missing. */
const nobody = ({ subscriberId, createdAt }: Pick<Stored, 'subscriberId' | 'createdAt'>): Owner => ({
  ...{ id: subscriberId, deviceKey: null, appUserId: null, attributes: {}, isErased: false },
  ...{ firstSeenAt: createdAt, lastSeenAt: createdAt },
})

/** The identifiers of the accesses that a purchase gives. */
export function entitlementsOf(
  { catalog }: Pick<ProjectState, 'catalog'>,
  { productId, accessIds }: Pick<FoundPurchase, 'productId' | 'accessIds'>,
): string[] {
  const product = productId === null ? undefined : catalog.products.get(productId)
  return (accessIds ?? product?.accessIds ?? []).flatMap((id) => catalog.access.get(id)?.identifier ?? [])
}
