import type { Fetch, FetchResponse } from '../core/globals'

/** What the stand-in server answers to one request. */
export interface Answer {
  status?: number
  headers?: Record<string, string>
  data?: unknown
  error?: { code: string; message: string }
  /** A body that is no answer of svc. */
  text?: string
  /** The connection breaks. */
  fails?: boolean
  /** Nothing comes back. */
  hangs?: boolean
}

/** A request as it was sent, its path without the address of the API. */
export interface Recorded {
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
  keepalive: boolean
  answer(answer: Answer): void
}

/** A server that keeps every request until the test sets the answer. */
export interface StandIn {
  fetch: Fetch
  /** The requests that have no answer yet, the oldest first. */
  waiting: Recorded[]
}

export function createStandIn(): StandIn {
  const waiting: Recorded[] = []
  return {
    waiting,
    fetch: (url, { method, headers, body, keepalive }) =>
      new Promise((resolve, reject) => {
        waiting.push({
          method,
          path: url.replace(/^https?:\/\/[^/]+\/v1(\/web\/svc_pub_\w+)?/, ''),
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
          body: body === undefined ? undefined : JSON.parse(body),
          keepalive: keepalive ?? false,
          answer(answer) {
            if (answer.fails) reject(new TypeError('fetch failed'))
            else if (!answer.hangs) resolve(responseOf(answer))
          },
        })
      }),
  }
}

function responseOf({ status = 200, headers = {}, data, error, text }: Answer): FetchResponse {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const empty = status === 202 && data === undefined ? '' : undefined
  return {
    status,
    headers: { get: (name) => named.get(name.toLowerCase()) ?? null },
    text: async () => text ?? empty ?? JSON.stringify(error ? { error } : { data }),
  }
}
