import { asc, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type LeaseKeyRow = Handle['tables']['leaseKeys']['$inferSelect']

/** Every signing key of the deployment, oldest first. */
export async function listLeaseKeys({ db, tables }: Handle): Promise<LeaseKeyRow[]> {
  const { leaseKeys: k } = tables
  return db.select().from(k).orderBy(asc(k.createdAt), asc(k.kid))
}

export async function insertLeaseKey({ db, tables }: Handle, row: LeaseKeyRow): Promise<void> {
  await db.insert(tables.leaseKeys).values(row)
}

export async function updateLeaseKey({ db, tables }: Handle, kid: string, change: Partial<LeaseKeyRow>): Promise<void> {
  await db.update(tables.leaseKeys).set(change).where(eq(tables.leaseKeys.kid, kid))
}
