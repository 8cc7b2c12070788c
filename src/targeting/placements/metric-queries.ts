import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type ResolutionRow = Handle['tables']['placementResolutions']['$inferSelect']

export async function addResolutions({ db, tables }: Handle, rows: readonly ResolutionRow[]): Promise<void> {
  const { placementResolutions: r } = tables
  for (const row of rows) {
    const set = { resolutions: sql`${r.resolutions} + ${row.resolutions}` }
    await db
      .insert(r)
      .values(row)
      .onConflictDoUpdate({ target: [r.projectId, r.identifier], set })
  }
}

export async function findResolutions({ db, tables }: Handle, projectId: string, identifier: string): Promise<number> {
  const { placementResolutions: r } = tables
  const isPlacement = and(eq(r.projectId, projectId), eq(r.identifier, identifier))
  const [row] = await db.select({ resolutions: r.resolutions }).from(r).where(isPlacement)
  return row?.resolutions ?? 0
}

/** First exposures that clients reported with this placement, of all experiments. */
export async function countExposures({ db, tables }: Handle, projectId: string, names: readonly string[]) {
  const { assignments: a } = tables
  const isShown = and(eq(a.projectId, projectId), isNotNull(a.exposedAt), inArray(a.placementId, [...names]))
  return db.$count(a, isShown)
}

/** Purchases in production whose receipt named this placement, and what was paid for them less what was refunded. */
export async function sumPurchases({ db, tables }: Handle, projectId: string, names: readonly string[]) {
  const { purchases: p, transactions: t } = tables
  const shownIn = sql`${p.presentedContext} ->> 'placementId'`
  const isShown = and(
    eq(p.projectId, projectId),
    eq(p.environment, 'PRODUCTION'),
    isNotNull(p.presentedContext),
    inArray(shownIn, [...names]),
  )
  const paid = db
    .select({ sum: sql`sum(${t.usdMicros})` })
    .from(t)
    .where(eq(t.purchaseId, p.id))
  const [row] = await db
    .select({
      purchases: sql<number>`count(*)`.mapWith(Number),
      usdMicros: sql<number>`coalesce(sum(${paid}), 0)`.mapWith(Number),
    })
    .from(p)
    .where(isShown)
  return row ?? { purchases: 0, usdMicros: 0 }
}
