import { and, count, eq, isNull } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { LeftBehind } from '../project-move/left-behind'

/** Imports whose files a move of the project does not take along. */
export async function keptUploads({ db, tables: { importJobs: j } }: Handle, projectId: string): Promise<LeftBehind> {
  const hasFiles = and(eq(j.projectId, projectId), isNull(j.filesDeletedAt))
  const [row] = await db.select({ count: count() }).from(j).where(hasFiles)
  return { what: 'imports whose files are still kept', count: row?.count ?? 0 }
}
