import type { Context } from '../context'
import type { ProjectState } from '../projects/state'
import { countLimit, hitKey } from './api'
import { matchesEtag, writeTag } from './etag'
import type { RequestFacts } from './request'

// The way of a request that repeats another one. It does what the long way does, by the same functions, and leaves to
// that whatever is to be refused, read or written.

/** Whose answers are kept. */
const PATHS: ReadonlySet<string> = new Set(['/v1/config'])

/** The words of a request that its answer depends on, beside its key's project. */
function nameOf(projectId: string, { url, headers }: Request): string {
  return `${projectId} ${url}\n${headers.get('x-svc-env') ?? ''}\n${headers.get('x-svc-user-id') ?? ''}`
}

interface Answer {
  headers: Record<string, string | number>
}

/** The answer kept of an equal request, 200 or 304; undefined sends the request on its long way. */
export function answerReady(ctx: Context, request: Request, facts: RequestFacts, set: Answer): Response | undefined {
  if (!PATHS.has(facts.path) || request.method !== 'GET') return undefined
  const { headers: given } = request
  const now = ctx.clock.now()
  const key = ctx.keys.recall(given.get('authorization'), now)
  if (!key) return undefined
  const found = ctx.ready.find(nameOf(key.projectId, request), now)
  if (!found || found.configVersion !== ctx.projects.held(key.projectId)?.configVersion) return undefined
  const limit = hitKey(ctx, key, now)
  if (limit?.isExceeded) return undefined
  facts.projectId = key.projectId
  facts.keyId = key.id
  countLimit(ctx, facts, set.headers, limit)
  ctx.presence.see(found.subscriberId, now)
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

/** Keeps the answer to a request for those that equal it; `mark` was taken before anything was read for it. */
export function keepReady<Payload>(
  ctx: Context,
  request: Request,
  made: { path: string; project: ProjectState; subscriberId: string; etag: string; payload: Payload; mark: number },
): void {
  const { path, project, subscriberId, etag, payload, mark } = made
  const { id, configVersion } = project
  if (!PATHS.has(path)) return
  ctx.ready.keep(nameOf(id, request), { body: JSON.stringify(payload), etag, subscriberId, configVersion }, mark)
}
