import { sql, sum } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { familyOf } from '../../people/subscribers/family'

/**
 * The length of all sessions of a subscriber and of those merged into it, in milliseconds; null when none has a length.
 * It also counts sessions that are deleted already.
 */
export async function playTimeOf({ db, tables }: Handle, subscriberId: string): Promise<number | null> {
  const { sessionSubjects: s } = tables
  const [row] = await db
    .select({ playMs: sum(s.playMs) })
    .from(s)
    .where(sql`${s.subscriberId} in ${familyOf(tables, subscriberId)}`)
  const playMs = Number(row?.playMs ?? 0)
  return playMs === 0 ? null : playMs
}
