import { type DocumentDecoration, Elysia } from 'elysia'
import type { Context } from '../context'
import { invalid, notFound } from '../errors'
import { sha256Hex } from '../lib/hash'
import { BodyFault, parseJsonObject, readBytes } from './body'
import { type Claim, claimKey, Replayed, readIdempotencyKey, type SavedAnswer } from './idempotency'
import { factsOf, isCleanText, type RequestFacts } from './request'

/** A call as it is before its caller is known. */
export interface Call {
  request: Request
  facts: RequestFacts
  /** What the path names. */
  params: Readonly<Record<string, string | undefined>>
  /** The answer's headers so far. */
  headers: Record<string, string | number>
}

/** To whom an Idempotency-Key belongs: two calls with different scopes have nothing in common (wire 1.5). */
export interface KeyScope {
  owner: string
  /** Empty for what belongs to no project. */
  projectId: string
  identity: string
}

export interface IdempotencyRules {
  /** A repetition that has waited in vain for the first request runs on its own. */
  mayRunBeside?: boolean
  /** The route answers a repetition itself, with the present state. */
  rendersReplay?: boolean
}

/** How one kind of caller is let in. */
export interface Guard<Who> {
  /** Steps 7 to 9 of wire 1.9: who calls, the limits of that caller, and what they may do. Throws the refusal. */
  authenticate: (call: Call) => Promise<Who>
  keyScope: (who: Who, request: Request, body: unknown) => KeyScope
  idempotency?: IdempotencyRules | undefined
  detail?: DocumentDecoration
}

/** What every guarded handler gets beside who calls. */
// A type, not an interface: Elysia's derive asks for an index signature.
export type Repetition = {
  /** The first answer of a repetition whose work is done: a route that `rendersReplay` answers with the present state. */
  replayed: SavedAnswer | null
}

/**
 * A fresh instance behind a guard: routes chained on it run only after its authentication, and a POST after its
 * Idempotency-Key. Authentication lives in `derive`, which runs before validation.
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
