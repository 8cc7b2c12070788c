import { type DocumentDecoration, Elysia } from 'elysia'
import type { Context } from '../context'
import { invalid, notFound } from '../errors'
import { sha256Hex } from '../lib/hash'
import { BodyFault, parseJsonObject, readBytes } from './body'
import { type Claim, claimKey, Replayed, readIdempotencyKey, type SavedAnswer } from './idempotency'
import { factsOf, isCleanText, type RequestFacts } from './request'

/** A call before its caller is known. */
export interface Call {
  request: Request
  facts: RequestFacts
  /** The parameters of the path. */
  params: Readonly<Record<string, string | undefined>>
  /** The answer's headers so far. */
  headers: Record<string, string | number>
}

/** The owner of an Idempotency-Key. Equal keys of different owners are independent of each other (wire 1.5). */
export interface KeyScope {
  owner: string
  /** Empty for a call that belongs to no project. */
  projectId: string
  identity: string
}

export interface IdempotencyRules {
  /** When the first request does not end in time, a repetition runs by itself instead of failing. */
  mayRunBeside?: boolean
  /** The route answers a repetition itself, with the current state. */
  rendersReplay?: boolean
}

/** How one kind of caller is authenticated. */
export interface Guard<Who> {
  /** Steps 7 to 9 of wire 1.9: identifies the caller, counts their limits, checks their rights. Throws a refusal. */
  authenticate: (call: Call) => Promise<Who>
  keyScope: (who: Who, request: Request, body: unknown) => KeyScope
  idempotency?: IdempotencyRules | undefined
  detail?: DocumentDecoration
}

/** What every guarded handler gets in addition to the caller. */
// A type, not an interface, because Elysia's derive needs an index signature.
export type Repetition = {
  /** The saved first answer, when the call repeats it. A route with `rendersReplay` answers with the current state. */
  replayed: SavedAnswer | null
}

/**
 * A new Elysia instance with a guard. A route on it runs only after authentication, and a POST also after the check of
 * its Idempotency-Key. Authentication is in `derive`, because `derive` runs before validation.
 */
export const guarded = <Who extends Record<string, unknown>>(ctx: Context, guard: Guard<Who>) =>
  new Elysia({ detail: guard.detail ?? {} })
    .onParse(async ({ request, contentType }) => {
      const facts = factsOf(request)
      facts.rawBody = await readBytes(request)
      const { headers } = request
      const type = contentType || headers.get('content-type')
      return parseJsonObject(facts.rawBody, type, headers.get('content-encoding'))
    })
    .derive(async ({ request, set, body, params }): Promise<Who & Repetition> => {
      const facts = factsOf(request)
      const who = await guard.authenticate({ request, facts, params, headers: set.headers })
      const claim = request.method === 'POST' ? await claimFor(ctx, guard, who, { request, facts, body }) : null
      if (body instanceof BodyFault) throw invalid(body.message)
      if (claim?.kind !== 'REPLAY') return { ...who, replayed: null }
      set.headers['idempotent-replay'] = 'true'
      if (!guard.idempotency?.rendersReplay) throw new Replayed(claim.answer)
      return { ...who, replayed: claim.answer }
    })
    // After the schemas, because their messages are more precise.
    .onBeforeHandle(({ request }) => refuseUncleanUrl(request.url, factsOf(request).path))
    // Not earlier: an answer that does not match its schema becomes a 500, and a 500 is never saved for a replay.
    .mapResponse(async ({ request, response, set }) => {
      const facts = factsOf(request)
      const status = Number(set.status ?? 200)
      if (!facts.save || status >= 300) return
      const body = bodyText(response)
      await facts.save({ status, contentType: body === '' ? null : JSON_TYPE, body })
      facts.release = null
    })

/** The type that Bun sends for an object, so that a replay has the same header. */
const JSON_TYPE = 'application/json;charset=utf-8'

const bodyText = (response: unknown): string =>
  response === undefined || response instanceof Response ? '' : JSON.stringify(response)

/** Refuses a URL with invalid text: 404 in the path, because no object has such a name, and 400 in the query. */
function refuseUncleanUrl(url: string, path: string): void {
  if (isCleanText(url)) return
  throw isCleanText(path) ? invalid('The query must be UTF-8 without NUL') : notFound()
}

interface Received {
  request: Request
  facts: RequestFacts
  body: unknown
}

async function claimFor<Who>(
  ctx: Context,
  guard: Guard<Who>,
  who: Who,
  { request, facts, body }: Received,
): Promise<Claim | null> {
  const key = readIdempotencyKey(request.headers)
  if (key === null) return null
  const claim = await claimKey(ctx, {
    ...guard.keyScope(who, request, body),
    method: request.method,
    path: ctx.state.surface.withoutMount(facts.path),
    key,
    bodyHash: sha256Hex(facts.rawBody),
    mayRunBeside: guard.idempotency?.mayRunBeside ?? false,
  })
  if (claim.kind === 'RUN') Object.assign(facts, { save: claim.save, release: claim.release })
  return claim
}
