import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { OnExport } from '../../people/subscribers/hooks'
import { listRequestsOf } from './queries'

/** For the data export of a person: what was asked for about that person before. */
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
