import type { Context } from '../../base/context'
import { etagOf, taggedAs } from '../../base/http/etag'
import { factsOf } from '../../base/http/request'
import { cacheResponse } from '../../projects/doors/response-cache'
import type { ProjectState } from '../../projects/project/state'
import type { AccessMap } from '../events/access-map'
import { resolveCaller, type SubscriberRow } from '../subscribers/service'
import { accessNow } from './service'

interface Answer {
  headers: Record<string, string | number>
}

/** The tagged answer to a device that asks for itself and for what it may use, kept for when it asks again. */
export async function answerCaller<Payload>(
  ctx: Context,
  project: ProjectState,
  request: Request,
  set: Answer,
  route: string,
  toPayload: (row: SubscriberRow, access: AccessMap) => Payload,
): Promise<Payload> {
  const mark = ctx.state.responseCache.mark(ctx.clock.now())
  const { row, ids } = await resolveCaller(ctx, project.id, request.headers)
  const { access, at, changesAt, purchaseIds } = await accessNow(ctx, project, row)
  const payload = toPayload(row, access)
  const etag = etagOf(row.id, route, payload)
  const rowIds = [...ids, ...purchaseIds]
  const { path } = factsOf(request)
  cacheResponse(ctx, request, { path, project, subscriberId: row.id, rowIds, at, changesAt, etag, payload, mark })
  return taggedAs(request, set, etag, payload)
}
