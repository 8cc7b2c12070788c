import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

/** The store that the material belongs to. */
export type MaterialOf = 'ios' | 'android' | 'payment'

export async function findSimulatorMaterial(
  { db, tables }: Handle,
  of: MaterialOf,
): Promise<Record<string, unknown> | null> {
  const { simulatorKeys: k } = tables
  const [row] = await db.select({ material: k.material }).from(k).where(eq(k.id, of))
  return row?.material ?? null
}

/** Insert-or-ignore: the first keys that are inserted remain those of the deployment. */
export async function insertSimulatorMaterial(
  { db, tables }: Handle,
  of: MaterialOf,
  material: Record<string, unknown>,
  createdAt: number,
): Promise<void> {
  await db.insert(tables.simulatorKeys).values({ id: of, material, createdAt }).onConflictDoNothing()
}
