import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../context'
import { ERRORS } from '../error-codes'
import { AppError, type ErrorCode } from '../errors'
import { parseExact } from '../lib/int64'
import { OwnRequest } from '../lib/own-request'
import { CommandFailure, type Program } from './command'
import { reasonOf } from './reason'
import type { RemoteAddress } from './remote'

/**
 * The API, called by a command: that of a server, as a person, or that of this process, over its own database. Both throw
 * the same errors.
 */
export interface Api {
  /** Reads `data` of an answer, which must fit the schema. */
  call<Data extends TSchema>(method: Method, path: string, request: ApiRequest<Data>): Promise<Static<Data>>
  /** Reads an answer that is a file of JSON, without an envelope. */
  download(path: string): Promise<object>
  /** Reads an answer that is a file of any kind, as it comes. */
  stream(path: string): Promise<ReadableStream<Uint8Array>>
  /** Sends a body and reads an answer whose parts come one after the other. */
  send(path: string, request: { body: object; signal: AbortSignal }): Promise<ReadableStream<Uint8Array>>
  /** Reads an answer that is a text. */
  text(path: string, query?: Query): Promise<string>
  /** Sends a file as it lies on the disk, and reads `data` of the answer. */
  upload<Data extends TSchema>(path: string, file: Blob, request: ApiUpload<Data>): Promise<Static<Data>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Query = Readonly<Record<string, string | number | undefined>>

export interface ApiUpload<Data extends TSchema> {
  data: Data
  query?: Query
  contentType: string
}

export interface ApiRequest<Data extends TSchema> {
  data: Data
  query?: Query
  body?: object
  signal?: AbortSignal
}

/** How a request gets its answer. */
interface Transport {
  /** Named in failures. */
  address: string
  send(request: Sent): Promise<Response>
}

interface Sent {
  method: Method
  path: string
  body?: string | Blob | undefined
  contentType?: string
  signal?: AbortSignal | undefined
  /** The longest that it may take; null = no limit. */
  timeoutMs: number | null
}

/** The API of a server. */
export const remoteApi = ({ address, token }: RemoteAddress): Api =>
  createApi({
    address,
    send: ({ method, path, body, contentType = 'application/json', signal, timeoutMs }) => {
      const ends = [signal, timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs)]
      return reach(address, method, () =>
        fetch(address + path, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
          // Another address must not get the token.
          redirect: 'manual',
          signal: AbortSignal.any(ends.filter((one) => one !== undefined)),
          ...(body !== undefined && { body }),
        }),
      )
    },
  })

/** The API of this process, for everything that may be done to the projects of its database. */
export function ownApi(ctx: Context, program: Program): Api {
  const app = program.createApp(ctx, (prefix) => prefix.startsWith('/dashboard/projects/'))
  return createApi({
    address: 'svc',
    async send({ method, path, body, contentType = 'application/json', signal }) {
      const request = new OwnRequest(`http://localhost${path}`, {
        method,
        headers: { 'content-type': contentType },
        signal: signal ?? null,
        ...(body !== undefined && { body }),
      })
      const response = await app.handle(request)
      if (request.failure !== undefined) throw request.failure
      return response
    },
  })
}

/** The longest that a call may take. A refund waits for its store. */
const TIMEOUT_MS = 120_000

/** As `TIMEOUT_MS`, for a file of some gigabytes. */
const UPLOAD_TIMEOUT_MS = 6 * 3_600_000

const createApi = ({ address, send }: Transport): Api => {
  const ask = async (sent: Omit<Sent, 'timeoutMs'>, timeoutMs = TIMEOUT_MS): Promise<HttpAnswer> => {
    const response = await send({ ...sent, timeoutMs })
    return { status: response.status, text: await reach(address, sent.method, () => response.text()) }
  }
  return {
    async call(method, path, { data, query = {}, body, signal }) {
      const sent = method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(body ?? {})
      return readData(address, await ask({ method, path: path + toQuery(query), body: sent, signal }), data)
    },
    async upload(path, file, { data, query = {}, contentType }) {
      const sent = { method: 'POST', path: path + toQuery(query), body: file, contentType } as const
      return readData(address, await ask(sent, UPLOAD_TIMEOUT_MS), data)
    },
    async text(path, query = {}) {
      const answer = await ask({ method: 'GET', path: path + toQuery(query) })
      if (answer.status !== 200) throw failureOf(address, answer)
      return answer.text
    },
    async download(path) {
      const answer = await ask({ method: 'GET', path })
      const content = answer.status === 200 ? readJson(answer) : null
      if (content === null) throw failureOf(address, answer)
      return content
    },
    stream: async (path) => streamIn(address, await send({ method: 'GET', path, timeoutMs: null })),
    async send(path, { body, signal }) {
      const sent = { path, body: JSON.stringify(body), signal }
      return streamIn(address, await send({ method: 'POST', ...sent, timeoutMs: null }))
    },
  }
}

async function streamIn(address: string, response: Response): Promise<ReadableStream<Uint8Array>> {
  if (response.status === 200 && response.body) return response.body
  throw failureOf(address, { status: response.status, text: await response.text() })
}

function readData<Data extends TSchema>(address: string, answer: HttpAnswer, data: Data): Static<Data> {
  const read = readEnvelope(answer)
  if (read && 'data' in read && Value.Check(data, read.data)) return read.data
  throw failureOf(address, answer)
}

/** What an answer refuses, or that it is none of svc. */
function failureOf(address: string, answer: HttpAnswer): Error {
  const read = readEnvelope(answer)
  if (read && 'error' in read) return refusalOf(address, answer.status, read.error)
  return new CommandFailure('HTTP_ERROR', notSvc(address, answer.status))
}

const toQuery = (query: Query): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}

interface HttpAnswer {
  status: number
  text: string
}

async function reach<Result>(address: string, method: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    const doubt = method !== 'GET' ? ' What was asked may have been done; look before you repeat it.' : ''
    const reason = reasonOf(error).replace(/\.$/, '')
    throw new CommandFailure(
      'HTTP_ERROR',
      `${address} does not answer (${reason}); check --url and the network.${doubt}`,
    )
  }
}

type Envelope = { data: unknown } | { error: WireError }

function readEnvelope(answer: HttpAnswer): Envelope | null {
  const parsed = readJson(answer)
  if (parsed === null) return null
  if ('data' in parsed) return { data: parsed.data }
  return 'error' in parsed && isError(parsed.error) ? { error: parsed.error } : null
}

function readJson({ text }: HttpAnswer): object | null {
  try {
    const parsed = parseExact(text)
    return typeof parsed === 'object' ? parsed : null
  } catch {
    return null
  }
}

const isError = (value: unknown): value is WireError =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  'message' in value &&
  typeof value.message === 'string'

interface WireError {
  code: string
  message: string
  details?: object
}

function refusalOf(address: string, status: number, { code, message, details, ...members }: WireError): Error {
  if (status === 401)
    return new CommandFailure(
      'UNAUTHORIZED',
      `${address} does not accept the token; make a new one in your account there.`,
    )
  if (!isCode(code)) return new CommandFailure('HTTP_ERROR', `${message} (${code})`)
  if (code === 'ASSISTANT_QUOTA_EXCEEDED') return new AppError(code, undefined, { message, members: textsOf(members) })
  // The details come from the table of the same codes.
  return new AppError(code, details as never, { message })
}

const textsOf = (members: object): Record<string, string> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'string'))

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

function notSvc(address: string, status: number): string {
  const what = status >= 300 && status < 400 ? 'redirects to another address' : `answers with status ${status}`
  return `${address} ${what} and not as this version of svc does; check --url.`
}
