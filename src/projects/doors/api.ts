import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { BodyFault, parseJsonObject, readBytes } from '../../base/http/body'
import { countLimit } from '../../base/http/count-limit'
import { type Claim, claimKey, Replayed, readIdempotencyKey, type SavedAnswer } from '../../base/http/idempotency'
import { headerText } from '../../base/http/identity'
import type { LimitState } from '../../base/http/rate-limit'
import { factsOf, isCleanText, type RequestFacts } from '../../base/http/request'
import { WEB_PREFIX } from '../../base/http/surface'
import { sha256Hex } from '../../base/lib/hash'
import type { KeyState, ProjectState } from '../project/state'
import { checkBrowserCall } from './browser-guard'

/** Which key kinds a route takes; `mayRunBeside` and `rendersReplay` are for receipts and restore (wire 1.5). */
export interface Guard {
  key: 'any' | 'secret' | 'public'
  /** How a call without an Authorization header may come in; null when this one does not try to. */
  otherwise?: (request: Request, set: { headers: Record<string, string | number> }) => Promise<KeyState | null>
  idempotency?: { mayRunBeside?: boolean; rendersReplay?: boolean }
  /** The key may come in `X-API-Key` as well, as clients of OFREP send it (wire 2.23). */
  takesApiKeyHeader?: boolean
}

/** What an authenticated handler gets beside Elysia's own members. */
// A type, not an interface: Elysia's derive asks for an index signature.
export type Caller = {
  project: ProjectState
  key: KeyState
  /** The first answer of a repetition whose work is done: a route that `rendersReplay` answers with the present state. */
  replayed: SavedAnswer | null
}

/**
 * A fresh authenticated instance: routes chained on it run only after key check, limits and kind guard, and a POST
 * after its Idempotency-Key. Authentication lives in `derive`, which runs before validation.
 */
export const api = (ctx: Context, guard: Guard) =>
  new Elysia({ detail: { 'x-key-kind': guard.key } })
    .onParse(async ({ request, contentType }) => {
      const facts = factsOf(request)
      facts.rawBody = await readBytes(request)
      const { headers } = request
      const type = contentType || headers.get('content-type')
      return parseJsonObject(facts.rawBody, type, headers.get('content-encoding'))
    })
    .derive(async ({ request, set, body }): Promise<Caller> => {
      const facts = factsOf(request)
      const key = (await guard.otherwise?.(request, set)) ?? (await authenticate(ctx, guard, request, facts))
      facts.projectId = key.projectId
      facts.keyId = key.id
      countLimit(ctx, facts, set.headers, hitKey(ctx, key, ctx.clock.now()))
      refuseKind(guard, key)
      const project = await ctx.state.projects.get(key.projectId)
      const claim = request.method === 'POST' ? await claimFor(ctx, guard, request, facts, body) : null
      if (body instanceof BodyFault) throw invalid(body.message)
      if (claim?.kind === 'REPLAY') set.headers['idempotent-replay'] = 'true'
      if (claim?.kind === 'REPLAY' && !guard.idempotency?.rendersReplay) throw new Replayed(claim.answer)
      return { project, key, replayed: claim?.kind === 'REPLAY' ? claim.answer : null }
    })
    // After the schemas, which know better what is wrong with a name.
    .onBeforeHandle(({ request }) => refuseUncleanUrl(request.url, factsOf(request).path))
    // Not before: an answer that breaks its schema is our 500, and a 500 is never kept for a replay.
    .mapResponse(async ({ request, response, set }) => {
      const facts = factsOf(request)
      const status = Number(set.status ?? 200)
      if (!facts.save || status >= 300) return
      const body = bodyText(response)
      await facts.save({ status, contentType: body === '' ? null : JSON_TYPE, body })
      facts.release = null
    })

/** As Bun writes it for an object, so that a replay does not differ. */
const JSON_TYPE = 'application/json;charset=utf-8'

const bodyText = (response: unknown): string =>
  response === undefined || response instanceof Response ? '' : JSON.stringify(response)

/** Nothing has a name that no text can be; in a query it is a fault of the caller like any other. */
function refuseUncleanUrl(url: string, path: string): void {
  if (isCleanText(url)) return
  throw isCleanText(path) ? invalid('The query must be UTF-8 without NUL') : notFound()
}

async function authenticate(ctx: Context, guard: Guard, request: Request, facts: RequestFacts): Promise<KeyState> {
  const key = await ctx.state.keys.authenticate(authorizationOf(guard, request.headers))
  if (facts.path.startsWith(WEB_PREFIX)) await checkBrowserCall(ctx, request, facts.path, key)
  return key
}

/** Another scheme is somebody else's, such as a proxy's, and does not stand before a key of ours. */
function authorizationOf({ takesApiKeyHeader }: Guard, headers: Headers): string | null {
  const authorization = headers.get('authorization')
  const apiKey = takesApiKeyHeader ? headerText(headers, 'x-api-key') : null
  return apiKey === null || /^\s*bearer\s/i.test(authorization ?? '') ? authorization : `Bearer ${apiKey}`
}

/** Counts a request of a key. */
export const hitKey = (ctx: Context, key: KeyState, now: number): LimitState | null =>
  ctx.state.rateLimits.hit('key', key.id, key.ratePerMinute ?? ctx.config.ratePerKey, now)

function refuseKind(guard: Guard, key: KeyState): void {
  if (guard.key === 'any' || guard.key === key.presented) return
  const kind = guard.key === 'secret' ? 'Secret' : 'Public'
  throw new AppError('FORBIDDEN', undefined, { message: `${kind} API key required` })
}

async function claimFor(
  ctx: Context,
  guard: Guard,
  request: Request,
  facts: RequestFacts,
  body: unknown,
): Promise<Claim | null> {
  const key = readIdempotencyKey(request.headers)
  if (key === null) return null
  const claim = await claimKey(ctx, {
    projectId: facts.projectId ?? '',
    method: request.method,
    path: ctx.state.surface.withoutMount(facts.path),
    identity: identityOf(request, body),
    key,
    bodyHash: sha256Hex(facts.rawBody),
    mayRunBeside: guard.idempotency?.mayRunBeside ?? false,
  })
  if (claim.kind === 'RUN') Object.assign(facts, { save: claim.save, release: claim.release })
  return claim
}

const IDENTITY_HEADERS = ['x-svc-app-user-id', 'x-svc-user-id'] as const
const IDENTITY_MEMBERS = ['deviceKey', 'svcId', 'subscriberId', 'appUserId'] as const

/**
 * The device keys of query, headers and body, else empty: the same receipt for another device is another key. All of
 * them, because each route has its own order in which they count (wire 1.8).
 */
function identityOf({ url, headers }: Request, body: unknown): string {
  const members = body as Record<string, unknown>
  const named = [
    ...new URL(url).searchParams.getAll('subscriberId').map((value) => value.trim()),
    ...IDENTITY_HEADERS.map((name) => headerText(headers, name)),
    IDENTITY_MEMBERS.map((name) => members?.[name]).find((value) => typeof value === 'string'),
  ]
  return [...new Set(named.filter(Boolean))].join('\n')
}
