import { and, desc, eq } from 'drizzle-orm'
import type { Handle } from '../../db/handle'

export type SimulatorChainRow = Handle['tables']['simulatorChains']['$inferSelect']

const ONLY_ROW = 'ios'

export async function findSimulatorMaterial({ db, tables }: Handle): Promise<Record<string, unknown> | null> {
  const { simulatorKeys: k } = tables
  const [row] = await db.select({ material: k.material }).from(k).where(eq(k.id, ONLY_ROW))
  return row?.material ?? null
}

/** Insert-or-ignore: the keys made first are the deployment's. */
export async function insertSimulatorMaterial(
  { db, tables }: Handle,
  material: Record<string, unknown>,
  createdAt: number,
): Promise<void> {
  await db.insert(tables.simulatorKeys).values({ id: ONLY_ROW, material, createdAt }).onConflictDoNothing()
}

export async function saveChain({ db, tables }: Handle, row: SimulatorChainRow): Promise<void> {
  const { simulatorChains: c } = tables
  const set = { payload: row.payload, deviceKey: row.deviceKey, updatedAt: row.updatedAt }
  await db
    .insert(c)
    .values(row)
    .onConflictDoUpdate({ target: [c.projectId, c.originalTransactionId], set })
}

/** A device's chains at the test store, the one used last first. */
export async function listChains(
  { db, tables }: Handle,
  projectId: string,
  deviceKey: string,
): Promise<SimulatorChainRow[]> {
  const { simulatorChains: c } = tables
  return db
    .select()
    .from(c)
    .where(and(eq(c.projectId, projectId), eq(c.deviceKey, deviceKey)))
    .orderBy(desc(c.updatedAt), desc(c.originalTransactionId))
}

export async function hasChain(
  { db, tables }: Handle,
  projectId: string,
  originalTransactionId: string,
): Promise<boolean> {
  const { simulatorChains: c } = tables
  const isChain = and(eq(c.projectId, projectId), eq(c.originalTransactionId, originalTransactionId))
  const [row] = await db.select({ id: c.originalTransactionId }).from(c).where(isChain)
  return row !== undefined
}
