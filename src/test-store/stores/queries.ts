import { and, desc, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type SimulatorChainRow = Handle['tables']['simulatorChains']['$inferSelect']

export async function saveChain({ db, tables }: Handle, row: SimulatorChainRow): Promise<void> {
  const { simulatorChains: c } = tables
  const set = { payload: row.payload, deviceKey: row.deviceKey, updatedAt: row.updatedAt }
  await db
    .insert(c)
    .values(row)
    .onConflictDoUpdate({ target: [c.projectId, c.originalTransactionId], set })
}

export async function findChain(
  { db, tables }: Handle,
  projectId: string,
  id: string,
): Promise<SimulatorChainRow | null> {
  const { simulatorChains: c } = tables
  const [row] = await db
    .select()
    .from(c)
    .where(and(eq(c.projectId, projectId), eq(c.originalTransactionId, id)))
  return row ?? null
}

/** Purchases of a project, or of one of its devices; the one that changed last comes first. */
export async function listChains(
  { db, tables }: Handle,
  projectId: string,
  deviceKey: string | null = null,
): Promise<SimulatorChainRow[]> {
  const { simulatorChains: c } = tables
  const isDevices = deviceKey === null ? undefined : eq(c.deviceKey, deviceKey)
  return db
    .select()
    .from(c)
    .where(and(eq(c.projectId, projectId), isDevices))
    .orderBy(desc(c.updatedAt), desc(c.originalTransactionId))
}

export async function findStoreState(
  { db, tables }: Handle,
  projectId: string,
): Promise<Record<string, unknown> | null> {
  const { simulatorStores: s } = tables
  const [row] = await db.select({ state: s.state }).from(s).where(eq(s.projectId, projectId))
  return row?.state ?? null
}

export async function saveStoreState(
  { db, tables }: Handle,
  projectId: string,
  state: Record<string, unknown>,
): Promise<void> {
  const { simulatorStores: s } = tables
  await db.insert(s).values({ projectId, state }).onConflictDoUpdate({ target: s.projectId, set: { state } })
}
