import { and, count, eq, isNotNull } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { LeftBehind } from '../project-move/left-behind'

/** Exports of people's data that a move of the project does not take along. */
export async function keptExports({ db, tables: { dataRequests: d } }: Handle, projectId: string): Promise<LeftBehind> {
  const hasFile = and(eq(d.projectId, projectId), isNotNull(d.artefactKey))
  const [row] = await db.select({ count: count() }).from(d).where(hasFile)
  return { what: "exports of people's data", count: row?.count ?? 0 }
}
