import { and, count, eq, gt, inArray, isNull } from 'drizzle-orm'
import { bySome } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'

export type TokenRow = Handle['tables']['funnelTokens']['$inferSelect']

/** Writes the token of a session in place of the one before, which opens nothing from then on. */
export async function replaceToken({ db, tables: { funnelTokens: t } }: Handle, row: TokenRow): Promise<void> {
  const { sessionId: _id, ...rest } = row
  await db.insert(t).values(row).onConflictDoUpdate({ target: t.sessionId, set: rest })
}

export async function findToken(
  { db, tables: { funnelTokens: t } }: Handle,
  projectId: string,
  tokenHash: string,
): Promise<TokenRow | null> {
  const rows = await db
    .select()
    .from(t)
    .where(and(eq(t.projectId, projectId), eq(t.tokenHash, tokenHash)))
  return rows[0] ?? null
}

/** The token of a session that can still be claimed for the first time; null when there is none. */
export async function findFreeToken(
  { db, tables: { funnelTokens: t } }: Handle,
  sessionId: string,
  now: number,
): Promise<TokenRow | null> {
  const isFree = and(eq(t.sessionId, sessionId), isNull(t.claimedAt), gt(t.expiresAt, now))
  const [row] = await db.select().from(t).where(isFree)
  return row ?? null
}

/** The token with this hash, of any project. */
export async function findAnyToken(
  { db, tables: { funnelTokens: t } }: Handle,
  tokenHash: string,
): Promise<TokenRow | null> {
  const [row] = await db.select().from(t).where(eq(t.tokenHash, tokenHash))
  return row ?? null
}

/** What claims need of a session. */
export type SessionHead = Pick<
  Handle['tables']['funnelSessions']['$inferSelect'],
  'id' | 'projectId' | 'funnelId' | 'versionNo' | 'state' | 'locale' | 'subscriberId'
>

export const listSessions = (
  { db, tables: { funnelSessions: f } }: Handle,
  ids: readonly string[],
): Promise<SessionHead[]> =>
  bySome(ids, (some) =>
    db
      .select({
        id: f.id,
        projectId: f.projectId,
        funnelId: f.funnelId,
        versionNo: f.versionNo,
        state: f.state,
        locale: f.locale,
        subscriberId: f.subscriberId,
      })
      .from(f)
      .where(inArray(f.id, some)),
  )

/** Marks a token as claimed. False when another call was first, or when a new token has replaced it. */
export async function claimOnce(
  { db, tables: { funnelTokens: t } }: Handle,
  tokenHash: string,
  { claimedAt, claimedBy }: { claimedAt: number; claimedBy: string },
): Promise<boolean> {
  const isFree = and(eq(t.tokenHash, tokenHash), isNull(t.claimedAt))
  const rows = await db
    .update(t)
    .set({ claimedAt, claimedBy, sealed: null })
    .where(isFree)
    .returning({ id: t.sessionId })
  return rows.length === 1
}

/** How often a purchase was moved by claims since an instant. */
export async function countMoves(
  { db, tables: { funnelMoves: m } }: Handle,
  purchaseId: string,
  after: number,
): Promise<number> {
  const [row] = await db
    .select({ moves: count() })
    .from(m)
    .where(and(eq(m.purchaseId, purchaseId), gt(m.movedAt, after)))
  return row?.moves ?? 0
}

export async function insertMove(
  { db, tables: { funnelMoves: m } }: Handle,
  row: Handle['tables']['funnelMoves']['$inferInsert'],
): Promise<void> {
  await db.insert(m).values(row)
}
