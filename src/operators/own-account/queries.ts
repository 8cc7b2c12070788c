import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { After } from '../accounts/after'

export type PreferencesRow = Handle['tables']['preferences']['$inferSelect']
export type SessionRow = Handle['tables']['userSessions']['$inferSelect']

/** The sessions of a user that have not ended, newest first. */
export async function listSessionRows(
  { db, tables }: Handle,
  userId: string,
  after: After | null,
  limit: number,
): Promise<SessionRow[]> {
  const { userSessions: s } = tables
  const isAfter =
    after && or(lt(s.createdAt, after.createdAt), and(eq(s.createdAt, after.createdAt), lt(s.id, after.id)))
  const rows = db
    .select()
    .from(s)
    .where(and(eq(s.userId, userId), isAfter ?? undefined))
  return rows.orderBy(desc(s.createdAt), desc(s.id)).limit(limit)
}

export async function findPreferences({ db, tables }: Handle, userId: string): Promise<PreferencesRow | null> {
  const { preferences: p } = tables
  const [row] = await db.select().from(p).where(eq(p.userId, userId))
  return row ?? null
}

export async function savePreferences({ db, tables }: Handle, row: PreferencesRow): Promise<void> {
  const { preferences: p } = tables
  await db.insert(p).values(row).onConflictDoUpdate({ target: p.userId, set: row })
}
