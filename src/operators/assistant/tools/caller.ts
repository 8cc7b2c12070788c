import type { Context } from '../../../base/context'
import { RelayedRequest } from '../../../base/http/application'
import { OwnRequest } from '../../../base/lib/own-request'

/** How tools call routes: always as the one who uses them, so never with more rights than theirs. */
export interface ToolCaller {
  send(method: string, path: string, body: object | null): Promise<Response>
}

/** What identifies a caller and where the call came from. */
const IDENTIFYING = [
  'authorization',
  'cookie',
  'origin',
  'host',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
]

/**
 * Calls as the sender of a request does, with their limits and their rights at that moment. `signal` ends the calls;
 * by default that of the request.
 */
export function callerOf(ctx: Context, request: Request, signal = request.signal): ToolCaller {
  const { headers, url } = request
  const own = new Headers(IDENTIFYING.flatMap((name) => pairOf(headers, name)))
  return {
    send: (method, path, body) =>
      answer(ctx, new RelayedRequest(new URL(path, url).href, initOf(method, body, own, signal))),
  }
}

/** Calls as the command line of this machine, which may do everything. */
export const ownCaller = (ctx: Context): ToolCaller => ({
  send: (method, path, body) =>
    answer(ctx, new OwnRequest(`http://localhost${path}`, initOf(method, body, new Headers()))),
})

const pairOf = (headers: Headers, name: string): [string, string][] => {
  const value = headers.get(name)
  return value === null ? [] : [[name, value]]
}

function initOf(method: string, body: object | null, own: Headers, signal?: AbortSignal): RequestInit {
  const headers = new Headers(own)
  if (body !== null) headers.set('content-type', 'application/json')
  return { method, headers, ...(signal && { signal }), ...(body !== null && { body: JSON.stringify(body) }) }
}

function answer(ctx: Context, request: Request): Promise<Response> {
  const { current } = ctx.state.application
  if (!current) throw new Error('a tool was called before the application was created')
  return current.answer(request)
}
