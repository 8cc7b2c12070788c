import { and, eq, gt, inArray, lt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type OpeningRow = Handle['tables']['funnelOpenings']['$inferSelect']

export async function insertOpening({ db, tables: { funnelOpenings: o } }: Handle, row: OpeningRow): Promise<void> {
  await db.insert(o).values(row)
}

/** The openings and the installs that asked, of one of these addresses, since an instant. */
export async function listOpenings(
  { db, tables: { funnelOpenings: o } }: Handle,
  { projectId, addressHashes, after }: { projectId: string; addressHashes: readonly string[]; after: number },
): Promise<OpeningRow[]> {
  const isNear = and(eq(o.projectId, projectId), inArray(o.addressHash, [...addressHashes]), gt(o.at, after))
  return db.select().from(o).where(isNear).limit(MOST)
}

/** More of one address are never one match. */
const MOST = 500

/** Deletes some of the openings that are older; returns how many. */
export async function deleteOldOpenings(
  { db, tables: { funnelOpenings: o } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const old = db.select({ id: o.id }).from(o).where(lt(o.at, before)).limit(limit)
  return (await db.delete(o).where(inArray(o.id, old)).returning({ id: o.id })).length
}
