import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { type BillingWorld, NEW_WORLD } from './world'

/** The account of a project at the test store; a new one where none was saved. */
export async function readWorld(
  { db, tables: { simulatorBilling: b } }: Handle,
  projectId: string,
): Promise<BillingWorld> {
  const [row] = await db.select({ world: b.world }).from(b).where(eq(b.projectId, projectId))
  return structuredClone(row?.world ?? NEW_WORLD)
}

export async function saveWorld(
  { db, tables: { simulatorBilling: b } }: Handle,
  projectId: string,
  world: BillingWorld,
) {
  await db.insert(b).values({ projectId, world }).onConflictDoUpdate({ target: b.projectId, set: { world } })
}

/** Ids of the projects that the test store has an account of. */
export async function listWorlds({ db, tables: { simulatorBilling: b } }: Handle): Promise<string[]> {
  return (await db.select({ projectId: b.projectId }).from(b)).map(({ projectId }) => projectId)
}
