import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

/** The test store that keys belong to. */
export type KeysOf = 'ios' | 'android' | 'payment'

const idOf = (projectId: string, store: KeysOf): string => `${projectId}:${store}`

export async function findSealedKeys({ db, tables }: Handle, projectId: string, store: KeysOf): Promise<string | null> {
  const { simulatorKeys: k } = tables
  const [row] = await db
    .select({ material: k.material })
    .from(k)
    .where(eq(k.id, idOf(projectId, store)))
  return row?.material.sealed ?? null
}

export async function saveSealedKeys(
  { db, tables }: Handle,
  { projectId, store, sealed, createdAt }: { projectId: string; store: KeysOf; sealed: string; createdAt: number },
): Promise<void> {
  const { simulatorKeys: k } = tables
  const set = { material: { sealed }, createdAt }
  await db
    .insert(k)
    .values({ id: idOf(projectId, store), ...set })
    .onConflictDoUpdate({ target: k.id, set })
}
