import { and, count, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { LinkPurpose } from './model'

export type LinkRow = Handle['tables']['funnelLinks']['$inferSelect']

export async function insertLinks({ db, tables: { funnelLinks: l } }: Handle, rows: readonly LinkRow[]): Promise<void> {
  if (rows.length > 0) await db.insert(l).values([...rows])
}

export async function findLink({ db, tables: { funnelLinks: l } }: Handle, hash: string): Promise<LinkRow | null> {
  const [row] = await db.select().from(l).where(eq(l.hash, hash))
  return row ?? null
}

/** Marks a link as used. Null when it was used before, has ended, or never was one. */
export async function spendLink(
  { db, tables: { funnelLinks: l } }: Handle,
  { hash, purposes, at }: { hash: string; purposes: readonly LinkPurpose[]; at: number },
): Promise<LinkRow | null> {
  const isLive = and(eq(l.hash, hash), inArray(l.purpose, [...purposes]), isNull(l.usedAt), gt(l.expiresAt, at))
  const [row] = await db.update(l).set({ usedAt: at }).where(isLive).returning()
  return row ?? null
}

export async function hasUnusedLink({ db, tables: { funnelLinks: l } }: Handle, mailId: string): Promise<boolean> {
  const isUnused = and(eq(l.mailId, mailId), isNull(l.usedAt))
  return (await db.select({ hash: l.hash }).from(l).where(isUnused).limit(1)).length > 0
}

/** How many mails of a kind an address got since an instant. */
export async function countMailed(
  { db, tables: { funnelLinks: l } }: Handle,
  {
    projectId,
    emailHash,
    purpose,
    after,
  }: { projectId: string; emailHash: string; purpose: LinkPurpose; after: number },
): Promise<number> {
  const isAsked = and(eq(l.projectId, projectId), eq(l.emailHash, emailHash), gt(l.createdAt, after))
  const [row] = await db
    .select({ mails: count() })
    .from(l)
    .where(and(isAsked, eq(l.purpose, purpose)))
  return row?.mails ?? 0
}

/** Deletes some of the links that ended before an instant; returns how many. */
export async function deleteEndedLinks(
  { db, tables: { funnelLinks: l } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const ended = db.select({ hash: l.hash }).from(l).where(lt(l.expiresAt, before)).limit(limit)
  return (await db.delete(l).where(inArray(l.hash, ended)).returning({ hash: l.hash })).length
}
