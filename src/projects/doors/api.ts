import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { countLimit } from '../../base/http/count-limit'
import { type Call, guarded, type IdempotencyRules, type Repetition } from '../../base/http/guarded'
import type { LimitState } from '../../base/http/rate-limit'
import { WEB_PREFIX } from '../../base/http/surface'
import type { KeyState, ProjectState } from '../project/state'
import { checkBrowserCall } from './browser-guard'

/** Which kinds of key a route accepts. `idempotency` is set for the receipt and restore routes (wire 1.5). */
export interface ApiGuard {
  key: 'any' | 'secret' | 'public'
  /** For a route that does not read its key from the Authorization header alone. */
  authenticate?: (call: Call) => Promise<KeyState>
  idempotency?: IdempotencyRules
}

// A type, not an interface: Elysia's derive requires an index signature.
type KeyHolder = {
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
    authenticate: (call) => admit(ctx, guard, call),
    keyScope: ({ project: { id } }, request, body) => ({
      owner: id,
      projectId: id,
      identity: (ctx.hooks.callIdentity ?? []).map((identityOf) => identityOf(request, body)).join('\n'),
    }),
  })

async function admit(ctx: Context, guard: ApiGuard, call: Call): Promise<KeyHolder> {
  const { request, facts, headers } = call
  const key = await (guard.authenticate?.(call) ?? checkKey(ctx, call, request.headers.get('authorization')))
  facts.projectId = key.projectId
  countLimit(ctx, facts, headers, hitKey(ctx, key, ctx.clock.now()))
  refuseKind(guard, key)
  return { project: await ctx.state.projects.get(key.projectId), key }
}

/** The key of an Authorization header. A call below the browser prefix must also pass the browser checks. */
export async function checkKey(ctx: Context, call: Call, authorization: string | null): Promise<KeyState> {
  const key = await ctx.state.keys.authenticate(authorization)
  const { path } = call.facts
  if (path.startsWith(WEB_PREFIX)) await checkBrowserCall(ctx, call.request, path, key)
  return key
}

/** Counts one request against the rate limit of a key. Gives null when the key has no limit. */
export const hitKey = (ctx: Context, key: KeyState, now: number): LimitState | null =>
  ctx.state.rateLimits.hit('key', key.id, key.ratePerMinute ?? ctx.config.ratePerKey, now)

function refuseKind(guard: ApiGuard, key: KeyState): void {
  if (guard.key === 'any' || guard.key === key.presented) return
  const kind = guard.key === 'secret' ? 'Secret' : 'Public'
  throw new AppError('FORBIDDEN', undefined, { message: `${kind} API key required` })
}
