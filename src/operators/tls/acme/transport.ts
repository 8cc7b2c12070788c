import { rootCertificates } from 'node:tls'
import { SECOND } from '../../../base/lib/clock'
import { AcmeError, readRetryAfter, toProblem } from './problem'

/** How a certificate authority is called. */
export interface CallParts {
  /** A root besides the usual ones; null = none. */
  ca: string | null
  now: () => number
  signal: AbortSignal
}

export interface Answer {
  status: number
  headers: Headers
  /** Parsed JSON, or the text where it is none. */
  body: unknown
}

const TIMEOUT_MS = 30 * SECOND
const MAX_BYTES = 256 * 1024

/** One call. Every status comes back; throws an `AcmeError` when there is no answer that can be read. */
export async function callOnce({ ca, signal }: CallParts, url: string, init: RequestInit = {}): Promise<Answer> {
  if (URL.parse(url)?.protocol !== 'https:') throw new AcmeError('malformedAnswer', `it named the address ${url}`)
  try {
    const response = await fetch(url, {
      ...init,
      headers: { 'user-agent': 'svc', ...init.headers },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(ca !== null && { tls: { ca: [...rootCertificates, ...blocksOf(ca)] } }),
    })
    return { status: response.status, headers: response.headers, body: await bodyOf(response) }
  } catch (error) {
    if (error instanceof AcmeError) throw error
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    throw new AcmeError('unreachable', `it gave no answer at ${url} (${why})`)
  }
}

/** Every certificate of a PEM text. */
const blocksOf = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []

/** The JSON object of a successful answer. */
export function objectOf({ status, headers, body }: Answer, now: number): Record<string, unknown> {
  if (status < 200 || status > 299) throw toProblem(status, body, readRetryAfter(headers.get('retry-after'), now))
  if (typeof body !== 'object' || body === null) throw new AcmeError('malformedAnswer', 'it answered without JSON')
  return body as Record<string, unknown>
}

/** A member that is an address. */
export function addressIn(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && URL.parse(value)?.protocol === 'https:') return value
  throw new AcmeError('malformedAnswer', `it gave no https address for ${name}`)
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await readText(response)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of body ?? []) {
    total += part.length
    if (total > MAX_BYTES) throw new AcmeError('malformedAnswer', 'its answer is longer than 256 KB')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
