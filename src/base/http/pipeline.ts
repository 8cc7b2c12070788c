import type { Context } from '../context'
import { invalid } from '../errors'
import { monotonicMs } from '../lib/clock'
import { refuseDeclaredSize } from './body'
import { answerPreflight, writeCorsHeaders } from './browser'
import { countLimit } from './count-limit'
import type { Replayed } from './idempotency'
import {
  callerAddress,
  hasUsableHost,
  pathOf,
  type RequestFacts,
  rememberRequest,
  requestIdOf,
  type Sockets,
  traceIdOf,
} from './request'
import { routeOf } from './surface'

declare module '../state' {
  interface SliceHooks {
    /** Can answer a request before routing; undefined passes it on. It runs for every request. */
    earlyAnswers: (ctx: Context, request: Request, facts: RequestFacts, set: Answer) => Response | undefined
  }
}

const NO_BODY = new Uint8Array()

/** Steps 1 to 5 of wire 1.9, which run for every request, also when no route matches. */
export function openRequest(ctx: Context, request: Request, set: Answer, server: Sockets | null): Response | undefined {
  const facts = newFacts(ctx, request, set, server)
  let early: Response | undefined
  try {
    early = admit(ctx, request, facts, set)
  } finally {
    // An early answer needs the facts no more. A refusal is thrown, and then the error handler needs them.
    if (early === undefined) rememberRequest(request, facts)
  }
  return early
}

function admit(ctx: Context, request: Request, facts: RequestFacts, set: Answer): Response | undefined {
  const { path } = facts
  set.headers['x-request-id'] = facts.id
  set.headers['cache-control'] = 'no-store'
  const { surface } = ctx.state
  writeCorsHeaders(ctx, request, path, set.headers)
  if (!hasUsableHost(request.url)) throw invalid('The Host header is not valid')
  refuseDeclaredSize(request.headers)
  if (request.method === 'OPTIONS') return answerPreflight(ctx.state, path, set.headers)
  if (ctx.config.ratePerIp > 0 && !surface.isUnlimited(path)) limitAddress(ctx, request, facts, set)
  for (const answer of ctx.hooks.earlyAnswers ?? []) {
    const early = answer(ctx, request, facts, set)
    if (early) recordAnswer(ctx, request, facts, routeOf(path), early.status)
    if (early) return early
  }
  return undefined
}

function limitAddress(ctx: Context, request: Request, facts: RequestFacts, set: Answer): void {
  const ip = callerAddress(ctx, request, facts)
  countLimit(ctx, facts, set.headers, ctx.state.rateLimits.hit('ip', ip, ctx.config.ratePerIp, ctx.clock.now()))
}

const newFacts = (ctx: Context, request: Request, { headers }: Answer, sockets: Sockets | null): RequestFacts => ({
  id: requestIdOf(request, () => ctx.ids.next('req')),
  path: pathOf(request.url),
  startedAt: monotonicMs(),
  sockets,
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
