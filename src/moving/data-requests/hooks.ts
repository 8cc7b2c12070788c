import { and, count, eq, isNotNull } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { OnExport } from '../../people/subscribers/hooks'
import type { LeftBehind } from '../project-move/left-behind'
import { listRequestsOf } from './queries'

/** Exports of people's data that a move of the project does not take along. */
export async function keptExports({ db, tables: { dataRequests: d } }: Handle, projectId: string): Promise<LeftBehind> {
  const hasFile = and(eq(d.projectId, projectId), isNotNull(d.artefactKey))
  const [row] = await db.select({ count: count() }).from(d).where(hasFile)
  return { what: "exports of people's data", count: row?.count ?? 0 }
}

/** For the data export of a person: the earlier requests about that person. */
export const exportRequests: OnExport = (handle, _project, { row }) => ({
  'requests.jsonl': (async function* () {
    for (const request of await listRequestsOf(handle, row.id))
      yield {
        id: request.id,
        type: request.type,
        requestedBy: request.requestedBy,
        createdAt: toIso(request.createdAt),
        completedAt: toIsoOrNull(request.completedAt),
      }
  })(),
})
