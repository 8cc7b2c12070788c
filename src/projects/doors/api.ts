import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { countLimit } from '../../base/http/count-limit'
import { type Call, guarded, type KeyScope, type Repetition } from '../../base/http/guarded'
import type { IdempotencyRules } from '../../base/http/kept-answer'
import type { LimitState } from '../../base/http/rate-limit'
import type { MaybeLater } from '../../base/http/shared/limits'
import { WEB_PREFIX } from '../../base/http/surface'
import type { KeyState, ProjectState } from '../project/state'
import { checkBrowserCall } from './browser-guard'

/** Which kinds of key a route accepts, and how it answers repetitions (wire 1.5). */
export interface ApiGuard {
  key: 'any' | 'secret' | 'public'
  /** The call names a subscriber by a reference, which means another one with the other half of the key (wire 1.8). */
  takesReference?: boolean
  /** For a route that does not read its key from the Authorization header alone. */
  authenticate?: (call: Call) => Promise<KeyState>
  idempotency?: IdempotencyRules
  /** A limit of the routes with this guard together, for each key, besides the general one. */
  limit?: { name: string; perMinute: number }
}

// A type, not an interface: Elysia's derive requires an index signature.
export type KeyHolder = {
  project: ProjectState
  key: KeyState
}

/** What an authenticated handler gets in addition to Elysia's own members. */
export type Caller = KeyHolder & Repetition

declare module '../../base/state' {
  interface SliceHooks {
    /** The subscriber that a call names. A call for another subscriber is another use of its Idempotency-Key. */
    callIdentity: (request: Request, body: unknown) => string
  }
}

/** Routes for apps and servers, which authenticate with an API key. */
export const api = (ctx: Context, guard: ApiGuard) =>
  guarded(ctx, {
    detail: { 'x-key-kind': guard.key },
    idempotency: guard.idempotency,
    authenticate: (call) => admitKey(ctx, guard, call),
    keyScope: ({ key }, request, body) => ({
      ...ownerOf(guard, key),
      projectId: key.projectId,
      identity: (ctx.hooks.callIdentity ?? []).map((identityOf) => identityOf(request, body)).join('\n'),
    }),
  })

/**
 * An Idempotency-Key belongs to a half of the project's keys: otherwise a call with the public key, which everybody can
 * read in an app, would get an answer that was meant for the customer's server, or take its place. Rows of release 1.0
 * do not name the half. They are used for both, except for a public call that names a subscriber by a reference: to a
 * server, the same reference may have meant another subscriber. Such a call only writes what it wrote before.
 */
function ownerOf(
  guard: ApiGuard,
  { id, projectId, presented }: KeyState,
): Pick<KeyScope, 'owner' | 'formerOwner' | 'budget'> {
  const isPublic = presented === 'public'
  return {
    owner: `${projectId} ${presented}`,
    formerOwner: isPublic && guard.takesReference ? null : projectId,
    budget: isPublic ? { who: id, of: 'KEY' } : null,
  }
}

/** The project of the key that a call presents, after its limits and rights were checked. */
export async function admitKey(ctx: Context, guard: ApiGuard, call: Call): Promise<KeyHolder> {
  const { request, facts, headers } = call
  const key = await (guard.authenticate?.(call) ?? checkKey(ctx, call, request.headers.get('authorization')))
  facts.projectId = key.projectId
  facts.presented = key.presented
  countLimit(ctx, facts, headers, await hitKey(ctx, key, ctx.clock.now()))
  refuseKind(guard, key)
  if (guard.limit) countLimit(ctx, facts, headers, await hitRoute(ctx, guard.limit, key))
  return { project: await ctx.state.projects.get(key.projectId), key }
}

/** The key of an Authorization header. A call below the browser prefix must also pass the browser checks. */
export async function checkKey(ctx: Context, call: Call, authorization: string | null): Promise<KeyState> {
  const key = await ctx.state.keys.authenticate(authorization)
  const { path } = call.facts
  if (path.startsWith(WEB_PREFIX)) await checkBrowserCall(ctx, call.request, path, key)
  return key
}

/**
 * Counts one request against the rate limit of a key. Gives null when the key has no limit. The halves of a pair count
 * apart: what apps send never takes from the customer's server (wire 6).
 */
export const hitKey = (ctx: Context, key: KeyState, now: number): MaybeLater<LimitState | null> =>
  ctx.state.limits.hit('key', `${key.presented} ${key.id}`, key.ratePerMinute ?? ctx.config.ratePerKey, now)

/** As `hitKey`, in the memory of this process only, and so at once. */
export const hitKeyHere = (ctx: Context, key: KeyState, now: number): LimitState | null =>
  ctx.state.limits.hitHere('key', `${key.presented} ${key.id}`, key.ratePerMinute ?? ctx.config.ratePerKey, now)

const hitRoute = (ctx: Context, { name, perMinute }: NonNullable<ApiGuard['limit']>, key: KeyState) =>
  ctx.state.limits.hit(name, `${key.presented} ${key.id}`, perMinute, ctx.clock.now())

function refuseKind(guard: ApiGuard, key: KeyState): void {
  if (guard.key === 'any' || guard.key === key.presented) return
  const kind = guard.key === 'secret' ? 'Secret' : 'Public'
  throw new AppError('FORBIDDEN', undefined, { message: `${kind} API key required` })
}
