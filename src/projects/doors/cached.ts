import type { Context } from '../../base/context'
import { etagOf, taggedAs } from '../../base/http/etag'
import type { ProjectState } from '../project/state'

/** A GET route whose answers are reused for equal requests, as long as nothing has changed. */
export interface CachedRoute {
  /** Its path below `/v1`. */
  route: string
  /** The request headers that the answer depends on, in addition to the URL and the project of the key. */
  headers: readonly string[]
  /** Called with the id of the caller whenever a cached answer is used. */
  onHit?: (callerId: string, now: number) => void
}

/** An answer, and the facts that decide how long it stays valid. */
export interface Made<Payload> {
  callerId: string
  /** Ids of all rows that were read for it, with that of the caller. */
  rowIds: readonly string[]
  /** The instant for which it was computed. */
  at: number
  /** The instant at which it changes although no row changes; null = never. */
  changesAt: number | null
  /** False when the next equal request may get another answer although nothing has changed. */
  isSettled?: boolean
  payload: Payload
}

interface Call {
  project: ProjectState
  request: Request
  set: { headers: Record<string, string | number> }
}

/**
 * Declares a route whose answers are cached. Returns the function that answers a request: it adds the ETag and stores
 * the answer for the next equal request.
 */
export function cached(ctx: Context, route: CachedRoute) {
  ctx.state.cachedRoutes.set(route.route, route)
  return async <Payload>({ project, request, set }: Call, make: () => Promise<Made<Payload>>): Promise<Payload> => {
    const mark = ctx.state.responseCache.mark() // Taken before any row is read.
    const made = await make()
    const etag = etagOf(made.callerId, route.route, made.payload)
    if (made.isSettled ?? true) cacheResponse(ctx, requestName(project.id, request, route), project, made, etag, mark)
    return taggedAs(request, set, etag, made.payload)
  }
}

export type CachedAnswer = ReturnType<typeof cached>

/** The cache key of a request: all of its parts that the answer depends on. */
export function requestName(projectId: string, { url, headers }: Request, { headers: names }: CachedRoute): string {
  let text = `${projectId} ${url}`
  for (const name of names) text += `\n${headers.get(name) ?? ''}`
  return text
}

function cacheResponse<Payload>(
  ctx: Context,
  name: string,
  project: ProjectState,
  { callerId, rowIds, at, changesAt, payload }: Made<Payload>,
  etag: string,
  mark: number,
): void {
  const edition = ctx.state.projects.editionOf(project)
  if (edition === undefined) return
  const until = changesAt ?? Number.POSITIVE_INFINITY
  const answer = { body: JSON.stringify(payload), etag, callerId, rowIds, edition, from: at, until }
  ctx.state.responseCache.keep(name, answer, mark)
}
