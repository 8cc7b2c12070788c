import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { matchesEtag, writeTag } from '../../base/http/etag'
import type { RequestFacts } from '../../base/http/request'
import { WEB_PREFIX } from '../../base/http/surface'
import { hitKey } from './api'
import { passesBrowserCall } from './browser-guard'
import { requestName } from './cached'

interface Answer {
  headers: Record<string, string | number>
}

/**
 * The cached answer to an equal request, 200 or 304; undefined where there is none. It checks and counts what a route
 * would, by the same functions, and leaves to the route whatever is to be refused, read or written.
 */
export function answerFromCache(
  ctx: Context,
  request: Request,
  facts: RequestFacts,
  set: Answer,
): Response | undefined {
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
  const limit = hitKey(ctx, key, now)
  if (limit?.isExceeded) return undefined
  facts.projectId = key.projectId
  countLimit(ctx, facts, set.headers, limit)
  route.onHit?.(found.callerId, now)
  return respond(given, set, found)
}

function respond(given: Headers, set: Answer, { body, etag }: { body: string; etag: string }): Response {
  const { headers } = set
  writeTag(headers, etag)
  set.headers = {} // Elysia would put what is in there onto the answer once more.
  if (matchesEtag(given.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: texts(headers) })
  headers['content-type'] = 'application/json;charset=utf-8' // As Bun writes it for an object.
  return new Response(body, { headers: texts(headers) })
}

// Numbers would do as well; the type says no.
const texts = (headers: Record<string, string | number>) => headers as Record<string, string>
