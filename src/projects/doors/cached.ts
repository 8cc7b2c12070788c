import type { Context } from '../../base/context'
import { etagOf, taggedAs } from '../../base/http/etag'
import type { ProjectState } from '../project/state'

/** A GET route whose answers are given again to equal requests, as long as nothing has changed. */
export interface CachedRoute {
  /** As it is called below `/v1`. */
  route: string
  /** The headers of a request that its answer depends on, beside the URL and the key's project. */
  headers: readonly string[]
  /** Called whenever a cached answer is given again, with the id of the caller. */
  onHit?: (callerId: string, now: number) => void
}

/** An answer, and what it was made of. */
export interface Made<Payload> {
  callerId: string
  /** Ids of every row that was read for it, the caller's among them. */
  rowIds: readonly string[]
  /** The instant that it tells of. */
  at: number
  /** When the clock alone will change it; null = never. */
  changesAt: number | null
  /** False where the next equal request may get another answer although nothing has changed. */
  isSettled?: boolean
  payload: Payload
}

interface Call {
  project: ProjectState
  request: Request
  set: { headers: Record<string, string | number> }
}

/** Declares a route whose answers are cached, and gives the function that answers it: tagged, and kept for the next one. */
export function cached(ctx: Context, route: CachedRoute) {
  ctx.state.cachedRoutes.set(route.route, route)
  return async <Payload>({ project, request, set }: Call, make: () => Promise<Made<Payload>>): Promise<Payload> => {
    const mark = ctx.state.responseCache.mark(ctx.clock.now()) // Before anything is read.
    const made = await make()
    const etag = etagOf(made.callerId, route.route, made.payload)
    if (made.isSettled ?? true) cacheResponse(ctx, requestName(project.id, request, route), project, made, etag, mark)
    return taggedAs(request, set, etag, made.payload)
  }
}

export type CachedAnswer = ReturnType<typeof cached>

/** What a request says, as far as its answer depends on it. */
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
