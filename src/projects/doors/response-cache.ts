import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { matchesEtag, writeTag } from '../../base/http/etag'
import type { RequestFacts } from '../../base/http/request'
import { WEB_PREFIX } from '../../base/http/surface'
import type { ProjectState } from '../project/state'
import { hitKey } from './api'
import { passesBrowserCall } from './browser-guard'

// The way of a request that repeats another one. It does what the long way does, by the same functions, and leaves to
// that whatever is to be refused, read or written.

const OF_DEVICE = ['x-svc-app-user-id']

/** Whose answers are kept, and the headers that these depend on, beside the URL and the key's project. */
const HEADERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['/v1/config', ['x-svc-env', 'x-svc-user-id']],
  ['/v1/me', OF_DEVICE],
  ['/v1/me/entitlements', OF_DEVICE],
  ['/v1/me/access', OF_DEVICE],
])

const headersOf = (ctx: Context, path: string): readonly string[] | undefined =>
  HEADERS.get(ctx.state.surface.withoutMount(path))

/** The words of a request that its answer depends on. */
function nameOf(projectId: string, { url, headers }: Request, wanted: readonly string[]): string {
  let name = `${projectId} ${url}`
  for (const header of wanted) name += `\n${headers.get(header) ?? ''}`
  return name
}

interface Answer {
  headers: Record<string, string | number>
}

/** The answer kept of an equal request, 200 or 304; undefined sends the request on its long way. */
export function answerFromCache(
  ctx: Context,
  request: Request,
  facts: RequestFacts,
  set: Answer,
): Response | undefined {
  const { path } = facts
  const wanted = headersOf(ctx, path)
  if (!wanted || request.method !== 'GET') return undefined
  const { headers: given } = request
  const now = ctx.clock.now()
  const key = ctx.state.keys.recall(given.get('authorization'), now)
  if (!key) return undefined
  const found = ctx.state.responseCache.find(nameOf(key.projectId, request, wanted), now)
  if (!found) return undefined
  const project = ctx.state.projects.held(key.projectId)
  if (!project || found.edition !== ctx.state.projects.editionOf(project)) return undefined
  if (path.startsWith(WEB_PREFIX) && !passesBrowserCall(request, path, key, project)) return undefined
  const limit = hitKey(ctx, key, now)
  if (limit?.isExceeded) return undefined
  facts.projectId = key.projectId
  countLimit(ctx, facts, set.headers, limit)
  ctx.state.presence.see(found.subscriberId, now)
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

/** An answer, and what it was made of. */
export interface Made<Payload> {
  path: string
  project: ProjectState
  subscriberId: string
  /** Ids of every row that was read for it. */
  rowIds: readonly string[]
  /** The instant that it tells of. */
  at: number
  /** When the clock alone will change it; null = never. */
  changesAt: number | null
  etag: string
  payload: Payload
  /** Taken before anything was read. */
  mark: number
}

/** Keeps the answer to a request for those that equal it. */
export function cacheResponse<Payload>(ctx: Context, request: Request, made: Made<Payload>): void {
  const { path, project, subscriberId, rowIds, at, changesAt, etag, payload, mark } = made
  const wanted = headersOf(ctx, path)
  const edition = ctx.state.projects.editionOf(project)
  if (!wanted || edition === undefined) return
  const answer = { body: JSON.stringify(payload), etag, subscriberId, rowIds, edition, from: at }
  ctx.state.responseCache.keep(
    nameOf(project.id, request, wanted),
    { ...answer, until: changesAt ?? Number.POSITIVE_INFINITY },
    mark,
  )
}
