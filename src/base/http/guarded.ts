import { type DocumentDecoration, Elysia } from 'elysia'
import type { Context } from '../context'
import { invalid, notFound } from '../errors'
import { SECOND } from '../lib/clock'
import { sha256Hex } from '../lib/hash'
import { BodyFault, parseJsonObject } from './body'
import { type Claim, claimKey, Replayed, readIdempotencyKey, type SavedAnswer } from './idempotency'
import { type AnswerBudget, type IdempotencyRules, isWhole, openSaved, toSaved } from './kept-answer'
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
  /** The owner in rows of release 1.0; absent where these must not be used. */
  formerOwner?: string | null
  /** Whose kept answers are bounded together; absent for callers without a bound. */
  budget?: AnswerBudget | null
  /** Empty for a call that belongs to no project. */
  projectId: string
  identity: string
}

/** How one kind of caller is authenticated. */
export interface Guard<Who> {
  /** Steps 7 to 9 of wire 1.9: identifies the caller, counts their limits, checks their rights. Throws a refusal. */
  authenticate: (call: Call) => Promise<Who>
  /** Null where an Idempotency-Key is ignored: answers that open a session are never kept. */
  keyScope: ((who: Who, request: Request, body: unknown) => KeyScope) | null
  idempotency?: IdempotencyRules | undefined
  /** `STREAM`: the handler reads the body, of any type and size, by itself. Absent: a JSON object of at most 1 MiB. */
  body?: 'STREAM' | undefined
  detail?: DocumentDecoration
}

/** What every guarded handler gets in addition to the caller. */
// A type, not an interface, because Elysia's derive needs an index signature.
export type Repetition = {
  /** The saved part of the first answer, when the call repeats it and the route answers the repetition. */
  replayed: SavedAnswer | null
}

/**
 * A new Elysia instance with a guard. A route on it runs only after authentication, and a POST also after the check of
 * its Idempotency-Key. Authentication is in `derive`, because `derive` runs before validation. The body is read there
 * too, and not by a parser, because a parser runs before the caller is known.
 */
export const guarded = <Who extends Record<string, unknown>>(ctx: Context, guard: Guard<Who>) =>
  new Elysia({ detail: guard.detail ?? {} })
    .onParse(() => UNREAD)
    .derive(async ({ request, set, params }): Promise<Who & Repetition> => {
      const facts = factsOf(request)
      const call = { request, facts, params, headers: set.headers }
      const isStream = guard.body === 'STREAM'
      const who = isStream ? await guard.authenticate(call) : await readAfter(ctx, call, guard.authenticate)
      if (isStream) facts.rawBody = outsideOf(request.headers)
      const body = isStream ? undefined : parseBody(request, facts.rawBody)
      const claim = request.method === 'POST' ? await claimFor(ctx, guard, who, { request, facts, body }) : null
      if (body instanceof BodyFault) throw invalid(body.message)
      if (claim?.kind !== 'REPLAY') return withBody({ ...who, replayed: null }, body)
      const { rendersReplay, checksReplay, unkept } = guard.idempotency ?? {}
      const answer = openSaved(ctx, guard.idempotency ?? {}, claim.answer)
      const isSaved = isWhole(answer) && !rendersReplay && !checksReplay
      if (isSaved || unkept !== 'RUN') set.headers['idempotent-replay'] = 'true'
      if (isSaved) throw new Replayed(answer)
      return withBody({ ...who, replayed: answer }, body)
    })
    // After the schemas, because their messages are more precise.
    .onBeforeHandle(({ request }) => refuseUncleanUrl(request.url, factsOf(request).path))
    // Not earlier: an answer that does not match its schema becomes a 500, and a 500 is never saved for a replay.
    .mapResponse(async ({ request, response, set }) => {
      const facts = factsOf(request)
      const status = Number(set.status ?? 200)
      if (!facts.save || status >= 300) return
      await facts.save(status, response)
      facts.release = null
    })

const SLOW_BODY_MS = 5 * SECOND

/**
 * Identifies the caller, and then reads the body. Rights can be taken while a body is on its way, so the caller of a slow
 * one is identified again, which counts as another call against their limits.
 */
async function readAfter<Who>(ctx: Context, call: Call, authenticate: Guard<Who>['authenticate']): Promise<Who> {
  const arriving = ctx.state.bodies.expect(call.request)
  try {
    const who = await authenticate(call)
    const knownAt = ctx.clock.now()
    call.facts.rawBody = await arriving.read()
    return ctx.clock.now() - knownAt < SLOW_BODY_MS ? who : await authenticate(call)
  } finally {
    arriving.end()
  }
}

/** The part of an unread body that an Idempotency-Key compares. */
const outsideOf = (headers: Headers): Uint8Array =>
  new TextEncoder().encode(`${headers.get('content-type')} ${headers.get('content-length')}`)

/** What Elysia has as the body until the caller is known. With it, Elysia reads nothing by itself. */
const UNREAD = {}

/** Undefined for a method without a body. */
function parseBody({ method, headers }: Request, bytes: Uint8Array): object | BodyFault | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  return parseJsonObject(bytes, headers.get('content-type'), headers.get('content-encoding'))
}

/** Elysia assigns the members to its context; so it validates this body, and gives it to the handler. */
const withBody = <Derived extends object>(derived: Derived, body: object | undefined): Derived =>
  body === undefined ? derived : { ...derived, body }

/** Refuses a URL with invalid text: 404 in the path, because no object has such a name, and 400 in the query. */
function refuseUncleanUrl(url: string, path: string): void {
  if (isCleanText(url)) return
  throw isCleanText(path) ? invalid('The query must be UTF-8 without NUL') : notFound('path', path)
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
  const key = guard.keyScope && readIdempotencyKey(request.headers)
  if (!guard.keyScope || key === null) return null
  const { budget = null, formerOwner = null, ...scope } = guard.keyScope(who, request, body)
  const rules = guard.idempotency ?? {}
  const claim = await claimKey(ctx, {
    ...scope,
    formerOwner,
    method: request.method,
    path: ctx.state.surface.withoutMount(facts.path),
    key,
    bodyHash: bodyHashOf(ctx, rules, facts.rawBody),
    mayRunBeside: rules.mayRunBeside ?? false,
  })
  if (claim.kind === 'REPLAY') return claim
  facts.save = (status, response) => claim.save(toSaved(ctx, rules, budget, status, response))
  facts.release = claim.release
  return claim
}

function bodyHashOf({ mac }: Context, { hidesBody = false }: IdempotencyRules, rawBody: Uint8Array): string {
  const hash = sha256Hex(rawBody)
  return hidesBody ? mac.sign(hash, 'kept body') : hash
}
