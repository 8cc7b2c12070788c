import type { Context } from '../context'
import { invalid } from '../errors'
import { monotonicMs } from '../lib/clock'
import type { SliceHooks } from '../state'
import { RelayedRequest } from './application'
import { refuseDeclaredSize } from './body'
import { answerPreflight, writeCorsHeaders } from './browser'
import { countLimit } from './count-limit'
import type { Replayed } from './idempotency'
import {
  callerAddress,
  hasOneHost,
  hasUsableHost,
  pathOf,
  type RequestFacts,
  rememberRequest,
  requestIdOf,
  type Sockets,
  traceIdOf,
} from './request'
import { after, type MaybeLater } from './shared/limits'
import { routeOf } from './surface'

declare module '../state' {
  interface SliceHooks {
    /** Can answer a request before routing; undefined passes it on. It runs for every request. */
    earlyAnswers: (ctx: Context, request: Request, facts: RequestFacts, set: Answer) => MaybeLater<Response | undefined>
    /**
     * Answers a call of another protocol before any other check, because a refusal of that protocol differs from ours;
     * undefined passes the call on. It runs for every request. A promise must not reject.
     */
    otherProtocols: (
      ctx: Context,
      request: Request,
      facts: RequestFacts,
      set: Answer,
    ) => Response | Promise<Response> | undefined
  }
}

/** What can answer a request before routing. */
export type EarlyAnswers = readonly SliceHooks['earlyAnswers'][]

const NO_BODY = new Uint8Array()

/**
 * Steps 1 to 5 of wire 1.9, which run for every request, also when no route matches. A promise only with a shared
 * cache.
 */
export function openRequest(
  ctx: Context,
  request: Request,
  set: Answer,
  server: Sockets | null,
  answers: EarlyAnswers = ctx.hooks.earlyAnswers ?? [],
): MaybeLater<Response | undefined> {
  // A caller may know already what another process has committed meanwhile.
  ctx.storage.refresh()
  const facts = newFacts(ctx, request, set, server)
  let early: MaybeLater<Response | undefined>
  try {
    early = admit(ctx, request, facts, set, answers)
  } finally {
    // An early answer needs the facts no more. A refusal is thrown, and then the error handler needs them.
    if (!(early instanceof Response)) rememberRequest(request, facts)
  }
  return early
}

function admit(
  ctx: Context,
  request: Request,
  facts: RequestFacts,
  set: Answer,
  answers: EarlyAnswers,
): MaybeLater<Response | undefined> {
  const { path } = facts
  set.headers['x-request-id'] = facts.id
  set.headers['cache-control'] = 'no-store'
  for (const [name, value] of safetyHeaders(ctx, request)) set.headers[name] = value
  const { surface } = ctx.state
  writeCorsHeaders(ctx, request, path, set.headers)
  const other = answerOther(ctx, request, facts, set)
  if (other !== undefined) return other
  if (!hasUsableHost(request.url) || !hasOneHost(request)) throw invalid('The Host header is not valid')
  if (!takesFile(request.method) || !surface.takesFile(path)) refuseDeclaredSize(request.headers)
  if (request.method === 'OPTIONS') return answerPreflight(ctx.state, path, set.headers)
  if (ctx.config.ratePerIp === 0 || surface.isUnlimited(path) || request instanceof RelayedRequest)
    return answerEarly(ctx, request, facts, set, answers)
  const ip = callerAddress(ctx, request, facts)
  return after(ctx.state.limits.hit('ip', ip, ctx.config.ratePerIp, ctx.clock.now()), (state) => {
    countLimit(ctx, facts, set.headers, state)
    return answerEarly(ctx, request, facts, set, answers)
  })
}

function answerOther(ctx: Context, request: Request, facts: RequestFacts, set: Answer) {
  for (const answer of ctx.hooks.otherProtocols ?? []) {
    const other = answer(ctx, request, facts, set)
    if (other !== undefined) return other
  }
}

function answerEarly(
  ctx: Context,
  request: Request,
  facts: RequestFacts,
  set: Answer,
  answers: EarlyAnswers,
  index = 0,
): MaybeLater<Response | undefined> {
  const answer = answers[index]
  if (!answer) return undefined
  return after(answer(ctx, request, facts, set), (early) => {
    if (early === undefined) return answerEarly(ctx, request, facts, set, answers, index + 1)
    for (const [name, value] of safetyHeaders(ctx, request)) early.headers.set(name, value)
    recordAnswer(ctx, request, facts, facts.route ?? routeOf(facts.path), early.status)
    return early
  })
}

const newFacts = (ctx: Context, request: Request, { headers }: Answer, sockets: Sockets | null): RequestFacts => ({
  id: requestIdOf(request, () => ctx.ids.next('req')),
  path: pathOf(request.url),
  route: null,
  startedAt: monotonicMs(),
  sockets: ctx.state.forwarded.seenThrough(sockets),
  limits: [],
  projectId: null,
  presented: null,
  headers,
  undo: null,
  rawBody: NO_BODY,
  save: null,
  release: null,
})

/** Records the duration and writes one debug line for every answer, also for refusals. */
export function recordAnswer(
  ctx: Context,
  request: Request,
  facts: RequestFacts | undefined,
  route: string,
  status: number | string,
): void {
  if (!facts) return
  const seconds = (monotonicMs() - facts.startedAt) / 1000
  ctx.metrics.requests.observe(request.method, route || 'unknown', status, seconds)
  if (!ctx.log.isDebug) return
  ctx.log.debug('request', {
    requestId: facts.id,
    traceId: traceIdOf(request),
    method: request.method,
    route,
    status: Number(status),
    ms: Math.round(seconds * 1000),
    projectId: facts.projectId,
  })
}

export interface Answer {
  status?: number | string | undefined
  headers: Record<string, string | number>
}

export function replay({ answer: { status, contentType, body } }: Replayed, set: Answer): Response {
  if (body === '') return bare(status, set)
  set.status = status
  if (contentType) set.headers['content-type'] = contentType
  return new Response(body, { status, headers: toHeaders(set) })
}

/** An answer without a body. The status is also set on `set`, because the metrics read it there. */
export function bare(status: number, set: Answer): Response {
  set.status = status
  return new Response(null, { status, headers: toHeaders(set) })
}

const toHeaders = ({ headers }: Answer): [string, string][] =>
  Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])

const takesFile = (method: string): boolean => method === 'POST' || method === 'PUT'

type Headers = readonly (readonly [name: string, value: string])[]

/** Browsers read an answer by its type. */
const ALWAYS: Headers = [['x-content-type-options', 'nosniff']]

/** Makes browsers use only https for this host, for a year. */
const ON_HTTPS: Headers = [...ALWAYS, ['strict-transport-security', 'max-age=31536000']]

/** The headers for browsers in every answer. Behind a proxy, the public address decides about https. */
const safetyHeaders = ({ config, state }: Pick<Context, 'config' | 'state'>, { url }: Request): Headers => {
  const isStrict =
    config.tls.mode === 'off' ? config.publicBaseUrl?.startsWith('https://') : state.strictHosts.has(hostIn(url))
  return isStrict ? ON_HTTPS : ALWAYS
}

/** It builds no URL object, because it runs for every request. */
const hostIn = (url: string): string => /^https:\/\/([^/:]+)/.exec(url)?.[1]?.toLowerCase() ?? ''
