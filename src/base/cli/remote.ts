import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AppError, ERRORS, type ErrorCode } from '../errors'
import { parseExact } from '../lib/int64'
import { CommandFailure, type Io, UsageError } from './command'
import { reasonOf } from './reason'

/** The options with which a command works on a server over HTTP instead of on the database of this machine. */
export const remoteOptions = { url: { type: 'string' }, token: { type: 'string' } } as const

/** The lines about them in the help of a command, whose texts begin at this column. */
export const remoteHelp = (column: number): string =>
  REMOTE_LINES.map(([name, text]) => `${`  ${name}`.padEnd(column)}${text}`).join('\n')

const REMOTE_LINES = [
  ['--url URL', 'works on this server over HTTP (or SVC_URL); https, or http on this machine'],
  ['--token T', 'a personal access token of your account there (or SVC_TOKEN, which no list of processes shows)'],
] as const

export interface RemoteValues {
  url?: string | undefined
  token?: string | undefined
  data?: string | undefined
}

/** A server, called as a person. Refusals are thrown as the errors that the same work throws on this machine. */
export interface Remote {
  /** Reads `data` of an answer, which must fit the schema. */
  call<Data extends TSchema>(method: Method, path: string, request: RemoteRequest<Data>): Promise<Static<Data>>
  /** Reads an answer that is a file of JSON, without an envelope. */
  download(path: string): Promise<object>
  /** Reads an answer that is a file of any kind, as it comes. */
  stream(path: string): Promise<ReadableStream<Uint8Array>>
  /** Reads an answer that is a text. */
  text(path: string): Promise<string>
  /** Sends a file as it lies on the disk, and reads `data` of the answer. */
  upload<Data extends TSchema>(path: string, file: Blob, request: RemoteUpload<Data>): Promise<Static<Data>>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface RemoteUpload<Data extends TSchema> {
  data: Data
  query?: Readonly<Record<string, string | number | undefined>>
  contentType: string
}

export interface RemoteRequest<Data extends TSchema> {
  data: Data
  query?: Readonly<Record<string, string | number | undefined>>
  body?: object
}

/** The server that the options or the environment name; null = the command works on this machine. */
export function readRemote(io: Io, values: RemoteValues): Remote | null {
  const found = readRemoteAddress(io, values, PERSONAL_TOKEN)
  return found && createRemote(found)
}

/** Where a server is, and what opens it. */
export interface RemoteAddress {
  /** Without a slash at its end. */
  address: string
  token: string
}

/** The tokens that a command takes. */
export interface TokenRule {
  form: RegExp
  /** What is needed, worded to follow "--url needs". */
  wanted: string
  /** What is accepted, worded to follow "--token (SVC_TOKEN) takes". */
  accepted: string
}

export const PERSONAL_TOKEN: TokenRule = {
  form: /^svc_pat_[\w-]{1,200}$/,
  wanted: 'a personal access token',
  accepted: 'a personal access token, which begins with svc_pat_',
}

/** The same for a command that also takes other tokens. */
export function readRemoteAddress(
  { env }: Io,
  { url, token, data }: RemoteValues,
  rule: TokenRule,
): RemoteAddress | null {
  if (url !== undefined && data !== undefined) throw new UsageError('--url and --data exclude each other')
  // An empty variable counts as not set. An empty option is a mistake, and must not mean this machine.
  const address = url ?? ((data === undefined && env.SVC_URL?.trim()) || undefined)
  if (address === undefined) {
    if (token !== undefined) throw new UsageError('--token belongs to --url')
    return null
  }
  return { address: checkAddress(address), token: checkToken(token ?? env.SVC_TOKEN?.trim(), rule) }
}

/** The address without a slash at its end. A token must never travel in the clear. */
function checkAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !isWeb || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError('--url (SVC_URL) takes an address like https://svc.example.com; http only on this machine')
  return url.href.replace(/\/+$/, '')
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/** No sentence repeats the token. */
function checkToken(token: string | undefined, { form, wanted, accepted }: TokenRule): string {
  if (!token) throw new UsageError(`--url needs ${wanted}: set SVC_TOKEN, or add --token`)
  if (!form.test(token)) throw new UsageError(`--token (SVC_TOKEN) takes ${accepted}`)
  return token
}

/** The longest that a call may take. A refund waits for its store. */
const TIMEOUT_MS = 120_000

/** As `TIMEOUT_MS`, for a file of some gigabytes. */
const UPLOAD_TIMEOUT_MS = 6 * 3_600_000

export const createRemote = ({ address, token }: RemoteAddress): Remote => ({
  async call(method, path, { data, query = {}, body }) {
    const sent = method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(body ?? {})
    const answer = await ask({ address, token, method, path: path + toQuery(query), body: sent })
    return readData(address, answer, data)
  },
  async upload(path, file, { data, query = {}, contentType }) {
    const sent = { body: file, contentType, timeoutMs: UPLOAD_TIMEOUT_MS }
    const answer = await ask({ address, token, method: 'POST', path: path + toQuery(query), ...sent })
    return readData(address, answer, data)
  },
  async text(path) {
    const answer = await ask({ address, token, method: 'GET', path, body: undefined })
    const read = readEnvelope(answer)
    if (read && 'error' in read) throw refusalOf(address, answer.status, read.error)
    if (answer.status !== 200) throw new CommandFailure('HTTP_ERROR', notSvc(address, answer.status))
    return answer.text
  },
  async download(path) {
    const answer = await ask({ address, token, method: 'GET', path, body: undefined })
    const read = readEnvelope(answer)
    if (read && 'error' in read) throw refusalOf(address, answer.status, read.error)
    const content = readJson(answer)
    if (answer.status !== 200 || content === null)
      throw new CommandFailure('HTTP_ERROR', notSvc(address, answer.status))
    return content
  },
  async stream(path) {
    const response = await reach(address, 'GET', () =>
      fetch(address + path, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' }),
    )
    if (response.status === 200 && response.body) return response.body
    const answer = { status: response.status, text: await response.text() }
    const read = readEnvelope(answer)
    if (read && 'error' in read) throw refusalOf(address, answer.status, read.error)
    throw new CommandFailure('HTTP_ERROR', notSvc(address, answer.status))
  },
})

function readData<Data extends TSchema>(address: string, answer: HttpAnswer, data: Data): Static<Data> {
  const read = readEnvelope(answer)
  if (read && 'error' in read) throw refusalOf(address, answer.status, read.error)
  if (read && Value.Check(data, read.data)) return read.data
  throw new CommandFailure('HTTP_ERROR', notSvc(address, answer.status))
}

const toQuery = (query: NonNullable<RemoteRequest<TSchema>['query']>): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}

interface Question {
  address: string
  token: string
  method: Method
  path: string
  body: string | Blob | undefined
  contentType?: string
  timeoutMs?: number
}

interface HttpAnswer {
  status: number
  text: string
}

const ask = ({ address, token, method, path, body, ...rest }: Question): Promise<HttpAnswer> =>
  reach(address, method, async () => {
    const { contentType = 'application/json', timeoutMs = TIMEOUT_MS } = rest
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
      // Another address must not get the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && { body }),
    })
    return { status: response.status, text: await response.text() }
  })

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

function refusalOf(address: string, status: number, { code, message, details }: WireError): Error {
  if (status === 401)
    return new CommandFailure(
      'UNAUTHORIZED',
      `${address} does not accept the token; make a new one in your account there.`,
    )
  if (!isCode(code)) return new CommandFailure('HTTP_ERROR', `${message} (${code})`)
  // The details come from the table of the same codes.
  return new AppError(code, details as never, { message })
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

function notSvc(address: string, status: number): string {
  const what = status >= 300 && status < 400 ? 'redirects to another address' : `answers with status ${status}`
  return `${address} ${what} and not as this version of svc does; check --url.`
}
