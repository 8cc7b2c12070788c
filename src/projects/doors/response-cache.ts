import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { matchesEtag, writeTag } from '../../base/http/etag'
import type { RequestFacts } from '../../base/http/request'
import { after, type MaybeLater } from '../../base/http/shared/limits'
import { WEB_PREFIX } from '../../base/http/surface'
import { hitKey } from './api'
import { passesBrowserCall } from './browser-guard'
import { requestName } from './cached'

interface Answer {
  headers: Record<string, string | number>
}

/**
 * The cached answer to an equal request, 200 or 304; undefined when there is none. It uses the same checks and the same
 * rate limit as a route. When a request must be refused, or needs a read or a write, it returns undefined, so that the
 * route answers it.
 */
export function answerFromCache(
  ctx: Context,
  request: Request,
  facts: RequestFacts,
  set: Answer,
): MaybeLater<Response | undefined> {
  if (request.method !== 'GET') return undefined
  const { path } = facts
  const { cachedRoutes, keys, projects, responseCache, surface } = ctx.state
  const route = cachedRoutes.get(surface.withoutMount(path))
  if (!route) return undefined
  const { headers: given } = request
  const now = ctx.clock.now()
  const key = keys.recall(given.get('authorization'), now)
  if (!key) return undefined
  const found = responseCache.find(requestName(key.projectId, request, route), now)
  if (!found) return undefined
  const project = projects.held(key.projectId)
  if (!project || found.edition !== projects.editionOf(project)) return undefined
  if (path.startsWith(WEB_PREFIX) && !passesBrowserCall(request, path, key, project)) return undefined
  return after(hitKey(ctx, key, now), (limit) => {
    if (limit?.isExceeded) return undefined
    facts.projectId = key.projectId
    countLimit(ctx, facts, set.headers, limit)
    route.onHit?.(found.callerId, now)
    return respond(given, set, found)
  })
}

function respond(given: Headers, set: Answer, { body, etag }: { body: string; etag: string }): Response {
  const { headers } = set
  writeTag(headers, etag)
  set.headers = {} // Otherwise Elysia would add these headers to the answer a second time.
  if (matchesEtag(given.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: texts(headers) })
  headers['content-type'] = 'application/json;charset=utf-8' // The value that Bun sets for an object.
  return new Response(body, { headers: texts(headers) })
}

// `Response` accepts numbers as header values too, but its type does not allow them.
const texts = (headers: Record<string, string | number>) => headers as Record<string, string>
