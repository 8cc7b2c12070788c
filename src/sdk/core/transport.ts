import { type CallOptions, type Core, isWithoutNetwork } from './core'
import { type ErrorKind, garbled, isRefused, SvcError, unreachable } from './error'
import type { FetchOptions, FetchResponse } from './globals'

const TIMEOUT = 10_000
const ATTEMPTS = 3
const LONGEST_WAIT = 30_000

/** Sends a call until it has an answer, and gives its `data`. With a body it is a POST, which has one idempotency key. */
export async function send<T>(
  core: Core,
  path: string,
  body?: unknown,
  { headers, isLast }: CallOptions = {},
): Promise<T> {
  const options: FetchOptions = {
    method: 'GET',
    headers: { Authorization: `Bearer ${core.apiKey}`, 'X-Svc-App-User-Id': core.identity().deviceKey, ...headers },
  }
  if (core.platform) options.headers['X-Svc-Platform'] = core.platform
  if (body) {
    options.method = 'POST'
    options.body = JSON.stringify(body)
    options.headers['Content-Type'] = 'application/json'
    options.headers['Idempotency-Key'] = core.random(16)
  }
  if (isLast) options.keepalive = isLast
  for (let attempt = 1; ; attempt++) {
    if (isWithoutNetwork(core)) await networkOf(core, isLast)
    const outcome = await ask(core, core.base + path, options)
    if (!(outcome instanceof SvcError)) return outcome as T
    core.log('debug', outcome)
    const wait = waitAfter(core, outcome, attempt)
    if (!wait || attempt === ATTEMPTS || isLast) throw outcome
    await core.sleep(wait)
  }
}

/** Waits for the network, at most as long as an attempt may take. */
async function networkOf(core: Core, isLast?: boolean): Promise<void> {
  const { clock, globals } = core
  if (!isLast)
    await new Promise<void>((resolve) => {
      const done = () => {
        clock.clearTimeout(id)
        globals.removeEventListener?.('online', done)
        resolve()
      }
      const id = clock.setTimeout(done, TIMEOUT)
      globals.addEventListener?.('online', done)
    })
  if (isWithoutNetwork(core)) throw unreachable('No network')
}

/** One attempt: the data of the answer, or its error. */
async function ask({ clock, fetch, globals }: Core, url: string, options: FetchOptions): Promise<unknown> {
  const control = globals.AbortController && new globals.AbortController()
  let id: unknown
  const late = new Promise<SvcError>((resolve) => {
    id = clock.setTimeout(() => {
      resolve(new SvcError('Timeout', 'No answer in time'))
      control?.abort()
    }, TIMEOUT)
  })
  const answer = async () => {
    const response = await fetch(url, { ...options, signal: control?.signal })
    return dataOf(response, await response.text())
  }
  return Promise.race([answer().catch(unreachable), late]).finally(() => clock.clearTimeout(id))
}

interface Envelope {
  data?: unknown
  error?: { code?: string; message?: string }
}

function dataOf({ status, headers }: FetchResponse, text: string): unknown {
  let { data, error }: Envelope = {}
  try {
    ;({ data, error } = text ? JSON.parse(text) : { data: null })
  } catch {}
  if (status < 300) return data === undefined ? garbled() : data
  const seconds = headers.get('Retry-After') ?? ''
  const code = error?.code
  return new SvcError(kindOf(status, code), error?.message ?? `The server answered ${status}`, {
    status,
    code,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterMs: /^\d+$/.test(seconds) ? +seconds * 1000 : undefined,
  })
}

const BY_STATUS: Record<number, ErrorKind> = { 401: 'InvalidApiKey', 403: 'Forbidden', 429: 'RateLimited' }

const BY_CODE: [code: RegExp, kind: ErrorKind][] = [
  [/^SUBSCRIBER_/, 'SubscriberUnresolvable'],
  [/^RECEIPT_P/, 'ProductNotAvailable'],
  [/^RECEIPT_/, 'ReceiptInvalid'],
  [/^(STORE|PAYMENT|purchase)_/, 'StoreProblem'],
]

/** The kind of a refusal. */
const kindOf = (status: number, code = ''): ErrorKind =>
  BY_STATUS[status] ??
  BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ??
  (status < 500 ? 'InvalidArgument' : 'ServerError')

/** Milliseconds until the next attempt, or 0 when there is none. */
function waitAfter(core: Core, error: SvcError, attempt: number): number {
  const { status, retryAfterMs } = error
  if (status === 409 && retryAfterMs === 1000) return retryAfterMs
  if (isRefused(error)) return 0
  if (retryAfterMs === undefined || (status !== 429 && status !== 503)) return core.backoff(attempt)
  return retryAfterMs > LONGEST_WAIT ? 0 : retryAfterMs || 1
}
