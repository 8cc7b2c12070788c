import { and, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

/** The owner of a purchase with the number of their latest event, for the preview of a refund. */
export async function purchaseOwner({ db, tables }: Handle, projectId: string, purchaseId: string) {
  const { purchases: p, subscribers: u } = tables
  const [row] = await db
    .select({ id: u.id, seq: u.seq })
    .from(p)
    .innerJoin(u, eq(u.id, p.subscriberId))
    .where(and(eq(p.projectId, projectId), eq(p.id, purchaseId)))
  return row ?? null
}
