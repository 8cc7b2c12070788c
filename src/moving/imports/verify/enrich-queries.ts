import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { SubscriberRow } from '../../../people/subscribers/service'

export type NewAnchor = Omit<Handle['tables']['importAnchors']['$inferSelect'], 'position'>

/** Values of one statement. A batch has at most 1000 rows of ten columns. */
const AT_ONCE = 500

export async function listByLabels(
  { db, tables: { subscribers: s } }: Handle,
  projectId: string,
  labels: readonly string[],
): Promise<Map<string, SubscriberRow>> {
  const found = new Map<string, SubscriberRow>()
  for (let from = 0; from < labels.length; from += AT_ONCE) {
    const isNamed = and(eq(s.projectId, projectId), inArray(s.appUserId, labels.slice(from, from + AT_ONCE)))
    const rows = await db
      .select()
      .from(s)
      .where(and(isNamed, isNull(s.erasedAt)))
    for (const row of rows) if (row.appUserId !== null) found.set(row.appUserId, row)
  }
  return found
}

/** Insert-or-ignore; returns how many were new. */
export async function insertAnchors(
  { db, tables: { importAnchors: a } }: Handle,
  anchors: readonly NewAnchor[],
): Promise<number> {
  let added = 0
  for (let from = 0; from < anchors.length; from += AT_ONCE) {
    const values = anchors.slice(from, from + AT_ONCE)
    const rows = await db.insert(a).values(values).onConflictDoNothing().returning({ position: a.position })
    added += rows.length
  }
  return added
}
