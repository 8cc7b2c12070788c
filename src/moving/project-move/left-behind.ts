import { and, count, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

/** What a project has that stays where it is, because the file has no place for it. */
export interface LeftBehind {
  what: string
  count: number
}

/** Files and people of the dashboard; work under way and mail are not counted. Without what there is none of. */
export async function listLeftBehind({ db, tables }: Handle, projectId: string): Promise<LeftBehind[]> {
  const { importJobs: i, dataRequests: d, invitations: v } = tables
  const numbers = { count: count() }
  const [uploads, exports, invitations] = await Promise.all([
    db
      .select(numbers)
      .from(i)
      .where(and(eq(i.projectId, projectId), isNull(i.filesDeletedAt))),
    db
      .select(numbers)
      .from(d)
      .where(and(eq(d.projectId, projectId), isNotNull(d.artefactKey))),
    db.select(numbers).from(v).where(eq(v.projectId, projectId)),
  ])
  const all = [
    { what: 'imports whose files are still kept', count: uploads[0]?.count ?? 0 },
    { what: "exports of people's data", count: exports[0]?.count ?? 0 },
    { what: 'invitations', count: invitations[0]?.count ?? 0 },
  ]
  return all.filter((one) => one.count > 0)
}
