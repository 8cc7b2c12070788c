import { and, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { DeliveryRow } from './queries'

/** Changes a delivery that is DEAD; false when it is not, so that one of two callers wins. */
export async function changeDead(
  { db, tables }: Handle,
  position: number,
  change: Partial<DeliveryRow>,
): Promise<boolean> {
  const { deliveries: d } = tables
  const isDead = and(eq(d.position, position), eq(d.status, 'DEAD'))
  const changed = await db.update(d).set(change).where(isDead).returning({ position: d.position })
  return changed.length > 0
}
