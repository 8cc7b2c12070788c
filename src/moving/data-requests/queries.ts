import { and, asc, desc, eq, inArray, isNotNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { familyOf } from '../../people/subscribers/family'
import type { DataRequestStatus, DataRequestType } from './tables'

export type DataRequestRow = Handle['tables']['dataRequests']['$inferSelect']

const OPEN: DataRequestStatus[] = ['PENDING', 'RUNNING']

/** Of the person and of every row merged into it. */
const isOfPerson = (tables: Handle['tables'], subscriberId: string) =>
  sql`${tables.dataRequests.subscriberId} in ${familyOf(tables, subscriberId)}`

/** The oldest request of a person that has not ended. */
export async function findOpenRequest(
  { db, tables }: Handle,
  subscriberId: string,
  type: DataRequestType,
): Promise<DataRequestRow | null> {
  const { dataRequests: r } = tables
  const isOpen = and(isOfPerson(tables, subscriberId), eq(r.type, type), inArray(r.status, OPEN))
  const [row] = await db.select().from(r).where(isOpen).orderBy(asc(r.id)).limit(1)
  return row ?? null
}

/** Every request of a person, oldest first. */
export async function listRequestsOf({ db, tables }: Handle, subscriberId: string): Promise<DataRequestRow[]> {
  const { dataRequests: r } = tables
  return db.select().from(r).where(isOfPerson(tables, subscriberId)).orderBy(asc(r.id))
}

export async function insertRequest({ db, tables }: Handle, row: DataRequestRow): Promise<void> {
  await db.insert(tables.dataRequests).values(row)
}

export async function findRequest(
  { db, tables }: Handle,
  projectId: string,
  id: string,
): Promise<DataRequestRow | null> {
  const { dataRequests: r } = tables
  const [row] = await db
    .select()
    .from(r)
    .where(and(eq(r.id, id), eq(r.projectId, projectId)))
  return row ?? null
}

export async function findRequestById({ db, tables }: Handle, id: string): Promise<DataRequestRow | null> {
  const [row] = await db.select().from(tables.dataRequests).where(eq(tables.dataRequests.id, id))
  return row ?? null
}

export interface RequestFilter {
  type?: DataRequestType | undefined
  status?: DataRequestStatus | undefined
  subscriberId?: string | undefined
  beforeId?: string | undefined
}

/** Newest first. */
export async function pageRequests(
  { db, tables }: Handle,
  projectId: string,
  { type, status, subscriberId, beforeId }: RequestFilter,
  limit: number,
): Promise<DataRequestRow[]> {
  const { dataRequests: r } = tables
  const isMatch = and(
    eq(r.projectId, projectId),
    type && eq(r.type, type),
    status && eq(r.status, status),
    subscriberId === undefined ? undefined : isOfPerson(tables, subscriberId),
    beforeId === undefined ? undefined : lt(r.id, beforeId),
  )
  return db.select().from(r).where(isMatch).orderBy(desc(r.id)).limit(limit)
}

/** Changes a request that is still as it was read; false when another process has changed it since. */
export async function updateAsRead(
  { db, tables }: Handle,
  { id, status, claimedAt }: Pick<DataRequestRow, 'id' | 'status' | 'claimedAt'>,
  change: Partial<DataRequestRow>,
): Promise<boolean> {
  const { dataRequests: r } = tables
  const isClaim = claimedAt === null ? sql`${r.claimedAt} is null` : eq(r.claimedAt, claimedAt)
  const isAsRead = and(eq(r.id, id), eq(r.status, status), isClaim)
  return (await db.update(r).set(change).where(isAsRead).returning({ id: r.id })).length > 0
}

/** Requests that a worker should take: those that wait since before `waitingSince`, and lost claims. */
export async function listLost(
  { db, tables }: Handle,
  { waitingSince, claimedUntil }: { waitingSince: number; claimedUntil: number },
  limit: number,
): Promise<DataRequestRow[]> {
  const { dataRequests: r } = tables
  const isWaiting = and(eq(r.status, 'PENDING'), lte(r.updatedAt, waitingSince))
  const isLost = and(eq(r.status, 'RUNNING'), lte(r.claimedAt, claimedUntil))
  return db.select().from(r).where(or(isWaiting, isLost)).orderBy(asc(r.id)).limit(limit)
}

/** Requests whose artefact cannot be downloaded any more. */
export async function listSpent({ db, tables }: Handle, now: number, limit: number): Promise<DataRequestRow[]> {
  const { dataRequests: r } = tables
  const isOver = or(and(eq(r.status, 'COMPLETED'), lt(r.expiresAt, now)), eq(r.status, 'FAILED'))
  return db
    .select()
    .from(r)
    .where(and(isNotNull(r.artefactKey), isOver))
    .orderBy(asc(r.id))
    .limit(limit)
}

export async function forgetArtefact({ db, tables }: Handle, id: string): Promise<void> {
  await db.update(tables.dataRequests).set({ artefactKey: null }).where(eq(tables.dataRequests.id, id))
}
