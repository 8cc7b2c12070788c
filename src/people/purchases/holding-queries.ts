import { and, eq, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { executeAlone, prepared } from '../../base/db/prepared'
import type { Observation, Store } from '../../stores/observation'
import type { PurchaseRow } from './queries'

/** Whether the purchase already has the observation. */
export async function hasObservation(handle: Handle, purchaseId: string, { kind, id }: Observation): Promise<boolean> {
  const query = prepared(handle, 'observations.byId', ({ db, tables: { observations: o } }) => {
    const isKind = and(eq(o.purchaseId, sql.placeholder('purchaseId')), eq(o.kind, sql.placeholder('kind')))
    return db
      .select({ id: o.id })
      .from(o)
      .where(and(isKind, eq(o.id, sql.placeholder('id'))))
      .limit(1)
      .prepare()
  })
  const [row] = await query.execute({ purchaseId, kind, id })
  return row !== undefined
}

/** A purchase, and what it has recorded of an observation. */
export type Holding = Pick<PurchaseRow, 'id' | 'subscriberId' | 'productId' | 'presentedContext'> & {
  told: Observation
}

/** The purchase of a chain, if it already has the observation. */
export async function findHolding(
  handle: Handle,
  projectId: string,
  store: Store,
  chainKey: string,
  { kind, id }: Observation,
): Promise<Holding | null> {
  const query = prepared(handle, 'purchases.holding', ({ db, tables: { purchases: p, observations: o } }) => {
    const isStore = and(eq(p.projectId, sql.placeholder('projectId')), eq(p.store, sql.placeholder('store')))
    const isKind = and(eq(o.purchaseId, p.id), eq(o.kind, sql.placeholder('kind')))
    const { id: purchaseId, subscriberId, productId, presentedContext } = p
    return db
      .select({ id: purchaseId, subscriberId, productId, presentedContext, told: o.payload })
      .from(p)
      .innerJoin(o, and(isKind, eq(o.id, sql.placeholder('id'))))
      .where(and(isStore, eq(p.chainKey, sql.placeholder('chainKey'))))
      .limit(1)
      .prepare()
  })
  return executeAlone(query, { projectId, store, chainKey, kind, id })
}
