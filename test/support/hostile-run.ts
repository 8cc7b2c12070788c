import type { createApp } from '../../src/app'
import type { Context } from '../../src/base/context'
import { buildOpenApi } from '../../src/docs/api/openapi'
import { type Document, type HostileRequest, HostileRequests, randomOf } from './hostile-requests'
import type { Visitor } from './visitor'

/** Calls that would end the sessions, tokens, keys or the project with which all others are made. */
const ENDING = new Set([
  ...['deleteProject', 'transferProject', 'deleteMe', 'signOut', 'setPassword', 'endSession', 'endOtherSessions'],
  ...[
    'deleteAccessToken',
    'deleteApiKey',
    'rotateApiKey',
    'updateApiKey',
    'signOutUser',
    'deleteMember',
    'updateMember',
    'leaveProject',
    'suspendProject',
  ],
  ...['enableTwoFactor', 'confirmTwoFactor', 'disableTwoFactor', 'updateUser', 'deleteUser'],
])

/** What is answered because nothing is set up behind it here; no fault of the server. */
const NOT_SET_UP = new Set([
  ...[
    'STORE_API_ERROR',
    'STORE_UNAVAILABLE',
    'STORE_NOT_CONFIGURED',
    'STORE_LOOKUP_UNAVAILABLE',
    'PAYMENT_NOT_CONNECTED',
  ],
  ...['PAYMENT_TEMPORARILY_UNAVAILABLE', 'ANALYTICS_UNAVAILABLE', 'FEATURE_NOT_CONFIGURED', 'QUEUE_UNAVAILABLE'],
])

/** Answers that there is no purchase to claim with `data` null and 404 (wire 2.1, operation 28). */
const NOTHING_TO_CLAIM = /^\/v1\/sdk\/claim-install\b/

/** Protocols of others, with refusals of their own form. */
const OTHER_FORM = /^\/(ofrep|oauth|\.well-known|health|metrics|public\/host\/ask|v1\/web\/[^/]+\/ofrep)\b/

/** Who calls: the headers of requests to each document. */
export interface Callers {
  api: readonly Record<string, string>[]
  dashboard: readonly Record<string, string>[]
}

export interface Hostile {
  request: HostileRequest
  headers: Record<string, string>
}

/** An endless list of wrong requests, made from both documents. */
export function hostileOf(
  app: ReturnType<typeof createApp>,
  { hooks }: Pick<Context, 'hooks'>,
  callers: Callers,
  known: Readonly<Record<string, readonly string[]>>,
  seed: number,
): () => Hostile {
  const random = randomOf(seed)
  const [api, dashboard] = (['api', 'dashboard'] as const).map((name) => {
    const document = buildOpenApi(app, hooks, name) as unknown as Document
    return new HostileRequests(document, random, known, ENDING)
  })
  if (!api || !dashboard) throw new Error('there are two documents')
  // Each operation comes equally often.
  const share = api.count / (api.count + dashboard.count)
  return () => {
    const isApi = random() < share
    const request = (isApi ? api : dashboard).next()
    const all = isApi ? callers.api : callers.dashboard
    const caller = all[Math.floor(random() * all.length)]
    const headers = request.needsNobody ? {} : { ...caller }
    return { request, headers: request.type === null ? headers : { ...headers, 'content-type': request.type } }
  }
}

/** Sends one request, and says what is wrong with the answer; null = nothing. */
export async function faultOf(
  { request, headers }: Hostile,
  send: (path: string, init: RequestInit) => Promise<Response>,
  seen: (status: number) => void = () => {},
): Promise<string | null> {
  const { method, path, body } = request
  const leaving = new AbortController()
  const init = { method, headers, signal: leaving.signal, redirect: 'manual' as const, ...(body !== null && { body }) }
  const response = await send(path, init).catch((error: Error) => error)
  if (response instanceof Error) return response.message
  seen(response.status)
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel()
    leaving.abort()
    return response.status === 200 ? null : `a stream with status ${response.status}`
  }
  const isFile = response.headers.has('content-disposition')
  return judge(path, response.status, isFile ? 'file' : type, await response.text())
}

function judge(path: string, status: number, type: string, text: string): string | null {
  const isOther = OTHER_FORM.test(path)
  if (status < 300) {
    if (!type.startsWith('application/json') || isOther || text === '') return null
    return 'data' in parsed(text) ? null : `no data: ${text.slice(0, 100)}`
  }
  if (status < 400) return null
  if (NOTHING_TO_CLAIM.test(path) && status === 404 && text === '{"data":null}') return null
  const { error } = parsed(text) as { error?: { code?: unknown; message?: unknown } }
  if (status >= 500 && !NOT_SET_UP.has(String(error?.code))) return `${status} ${text.slice(0, 200)}`
  if (isOther) return null
  return typeof error?.code === 'string' && typeof error.message === 'string'
    ? null
    : `no envelope: ${text.slice(0, 100)}`
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

export const nameOf = ({ request: { operation, method, path, body } }: Hostile): string =>
  `${operation}: ${method} ${path.slice(0, 200)} ${(body ?? '').slice(0, 300)}`

/** The header with which a browser that is signed in calls. */
export const cookieOf = ({ cookies }: Pick<Visitor, 'cookies'>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
