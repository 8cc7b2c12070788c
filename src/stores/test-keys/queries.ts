import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

/** Whose material it is. */
export type MaterialOf = 'ios' | 'android' | 'payment'

export async function findSimulatorMaterial(
  { db, tables }: Handle,
  of: MaterialOf,
): Promise<Record<string, unknown> | null> {
  const { simulatorKeys: k } = tables
  const [row] = await db.select({ material: k.material }).from(k).where(eq(k.id, of))
  return row?.material ?? null
}

/** Insert-or-ignore: the keys made first are the deployment's. */
export async function insertSimulatorMaterial(
  { db, tables }: Handle,
  of: MaterialOf,
  material: Record<string, unknown>,
  createdAt: number,
): Promise<void> {
  await db.insert(tables.simulatorKeys).values({ id: of, material, createdAt }).onConflictDoNothing()
}
