import { and, asc, count, eq, gt, gte, inArray, lte, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { PurchaseEnvironment, Store } from '../../stores/observation'

/** A place of reconciliation: the purchases of one project, at one store, in one environment. */
export interface Place {
  projectId: string
  store: Store
  environment: PurchaseEnvironment
}

/** Where a page of due purchases ended. */
export type RecheckMark = Pick<PurchaseRow, 'id'> & { recheckAt: number }

const isDue = ({ purchases: p }: Handle['tables'], { projectId, store, environment }: Place, now: number) =>
  and(eq(p.projectId, projectId), eq(p.store, store), eq(p.environment, environment), lte(p.recheckAt, now))

/** Due purchases after a mark, the longest due first. */
export async function listRecheckDue(
  { db, tables }: Handle,
  place: Place,
  now: number,
  mark: RecheckMark | null,
  limit: number,
): Promise<PurchaseRow[]> {
  const { purchases: p } = tables
  // The first condition is implied by the second, but without it the index is read from its start.
  const isAfter =
    mark &&
    and(
      gte(p.recheckAt, mark.recheckAt),
      or(gt(p.recheckAt, mark.recheckAt), and(eq(p.recheckAt, mark.recheckAt), gt(p.id, mark.id))),
    )
  return db
    .select()
    .from(p)
    .where(and(isDue(tables, place, now), isAfter ?? undefined))
    .orderBy(asc(p.recheckAt), asc(p.id))
    .limit(limit)
}

export async function countRecheckDue({ db, tables }: Handle, place: Place, now: number): Promise<number> {
  const rows = await db
    .select({ due: count() })
    .from(tables.purchases)
    .where(isDue(tables, place, now))
  return rows[0]?.due ?? 0
}

/** Claims due purchases by moving `recheckAt` to `until`; returns the ids that no other run had claimed. */
export async function claimRecheck(
  { db, tables }: Handle,
  ids: readonly string[],
  now: number,
  until: number,
): Promise<string[]> {
  const { purchases: p } = tables
  const isStillDue = and(inArray(p.id, [...ids]), lte(p.recheckAt, now))
  const claimed = await db.update(p).set({ recheckAt: until }).where(isStillDue).returning({ id: p.id })
  return claimed.map(({ id }) => id)
}

/** Sets `recheckAt` if it is still `from`. Any other value comes from a newer report, and is kept. */
export async function scheduleRecheck(
  { db, tables }: Handle,
  id: string,
  from: number,
  recheckAt: number | null,
): Promise<void> {
  const { purchases: p } = tables
  await db
    .update(p)
    .set({ recheckAt })
    .where(and(eq(p.id, id), eq(p.recheckAt, from)))
}
