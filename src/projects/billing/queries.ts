import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { PlanChange } from './tier'

type PlanChangeRow = Handle['tables']['planChanges']['$inferSelect']

/** In the order in which they were made. */
export async function listPlanChanges(
  { db, tables: { planChanges: p } }: Handle,
  projectId: string,
): Promise<PlanChange[]> {
  return db
    .select({ changedAt: p.changedAt, tier: p.tier, until: p.until })
    .from(p)
    .where(eq(p.projectId, projectId))
    .orderBy(p.position)
}

export async function insertPlanChange({ db, tables }: Handle, row: Omit<PlanChangeRow, 'position'>): Promise<void> {
  await db.insert(tables.planChanges).values(row)
}
