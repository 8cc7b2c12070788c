import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch'
import type { HttpMethod, PathsWithMethod } from 'openapi-typescript-helpers'
import { noteAway } from '../shell/server-state'
import { failureOf, Unreachable } from './failure'
import type { paths } from './schema'
import { isSignedInAgain } from './session-end'

export type GetPath = PathsWithMethod<paths, 'get'>

/** What a call takes besides its path: `params.path`, `params.query`, `params.header` and `body`. */
export type Init<P extends keyof paths, M extends HttpMethod> = M extends keyof paths[P]
  ? MaybeOptionalInit<paths[P], M>
  : never

type Body<P extends keyof paths, M extends keyof paths[P]> =
  paths[P][M] extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<paths[P][M], Record<never, never>, 'application/json'>['data']>
    : never

/** The payload under `data` of a successful answer. */
export type Data<P extends keyof paths, M extends keyof paths[P]> =
  Body<P, M> extends { data: infer D } ? D : Body<P, M>

const client = createClient<paths>({ baseUrl: location.origin, querySerializer: queryOf })

/** Reads one path of the dashboard API. Throws an `ApiFailure` or `Unreachable`. */
export const read = <P extends GetPath>(path: P, init: Init<P, 'get'>): Promise<Data<P, 'get'>> =>
  send(client.GET as Sender, path, init) as Promise<Data<P, 'get'>>

type Write<M extends HttpMethod> = <P extends PathsWithMethod<paths, M>>(
  path: P,
  init: Init<P, M>,
) => Promise<Data<P, M & keyof paths[P]>>

const PLAIN = { headers: { 'content-type': 'text/plain' }, bodySerializer: (body: Blob) => body }

/** The writing calls. Each throws an `ApiFailure` or `Unreachable`, and is never repeated by itself. */
export const api = {
  post: ((path: string, init: unknown) => send(client.POST as Sender, path, init)) as Write<'post'>,
  put: ((path: string, init: unknown) => send(client.PUT as Sender, path, init)) as Write<'put'>,
  patch: ((path: string, init: unknown) => send(client.PATCH as Sender, path, init)) as Write<'patch'>,
  /** Sends a text as it is, in place of JSON. */
  putText: <P extends PathsWithMethod<paths, 'put'>>(path: P, init: Omit<Init<P, 'put'>, 'body'>, text: Blob) =>
    send(client.PUT as Sender, path, { ...(init as object), ...PLAIN, body: text }) as Promise<Data<P, 'put'>>,
  delete: ((path: string, init: unknown) => send(client.DELETE as Sender, path, init)) as Write<'delete'>,
}

interface Answer {
  data?: unknown
  error?: unknown
  response: Response
}

type Sender = (path: never, init: never) => Promise<Answer>

async function send(sender: Sender, path: string, init: unknown): Promise<unknown> {
  const first = await ask(sender, path, init)
  const isAgain = first.response.status === 401 && (await isSignedInAgain(path))
  const answer = isAgain ? await ask(sender, path, init) : first
  if (!answer.response.ok) throw failureOf(answer.response, answer.error)
  const { data } = answer
  return data !== null && typeof data === 'object' && 'data' in data ? data.data : data
}

async function ask(sender: Sender, path: string, init: unknown): Promise<Answer> {
  const answer = await sender(path as never, init as never).catch((cause: unknown) => {
    noteAway()
    throw new Unreachable('the server does not answer', { cause })
  })
  if (!isFromProxy(answer)) return answer
  noteAway()
  throw new Unreachable('the server does not answer')
}

/** A refusal without a code does not come from svc: a proxy could not reach the server. */
const isFromProxy = ({ response: { status }, error }: Answer): boolean =>
  status >= 502 && status <= 504 && !(error !== null && typeof error === 'object' && 'error' in error)

/** The API takes each parameter once; lists are joined with commas, and absent values are left out. */
export function queryOf(query: Record<string, unknown>): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    pairs.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return pairs.toString()
}
