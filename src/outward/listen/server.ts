import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { CommandFailure } from '../../base/cli/command'
import { reasonOf } from '../../base/cli/reason'
import type { RemoteAddress } from '../../base/cli/remote'
import { SECOND } from '../../base/lib/clock'
import { parseExact } from '../../base/lib/int64'
import { SourceAway } from './source'

/**
 * Calls a server and returns an answer with status 200. A server that does not answer, is overloaded or restarts is
 * away; every other answer ends the command with one sentence.
 */
export async function askServer(server: RemoteAddress, path: string, signal: AbortSignal): Promise<Response> {
  const { address, token } = server
  const response = await fetch(address + path, {
    headers: { authorization: `Bearer ${token}` },
    // Another address must not get the token.
    redirect: 'manual',
    // A connection that a server before its restart left open would fail.
    keepalive: false,
    signal,
  }).catch((error: unknown) => {
    throw awayFor(server, reasonOf(error))
  })
  if (response.status === 200) return response
  throw await faultOf(server, response)
}

const Secret = Type.Object({ data: Type.Object({ secret: Type.String({ pattern: '^whsec_' }) }) })

/** The secret of a server for a project. Null from an older server, and from one without a master key. */
export async function askSecret(server: RemoteAddress, path: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = parseOrNull(await (await askServer(server, path, signal)).text())
    return Value.Check(Secret, answer) ? answer.data.secret : null
  } catch {
    return null // The events come all the same, and faults of the server are reported with them.
  }
}

export const awayFor = ({ address }: RemoteAddress, reason: string): SourceAway =>
  new SourceAway(`${address} does not answer (${reason.replace(/\.$/, '')}).`)

export const notSvc = ({ address }: RemoteAddress, what: string): CommandFailure =>
  new CommandFailure('HTTP_ERROR', `${address} ${what} and not as this version of svc does; check --url.`)

async function faultOf(server: RemoteAddress, response: Response): Promise<Error> {
  const { address } = server
  const { status } = response
  const text = await response.text().catch(() => '')
  if (status === 429 || status >= 500)
    return new SourceAway(`${address} answers with status ${status}.`, pauseOf(response))
  const refusal = readRefusal(text)
  if (status >= 300 && status < 400) return notSvc(server, 'redirects to another address')
  if (!refusal) return notSvc(server, `answers with status ${status}`)
  if (status === 401)
    return new CommandFailure('UNAUTHORIZED', `${address} does not accept the token; make a new one there.`)
  return new CommandFailure('HTTP_ERROR', `${address} refuses: ${refusal.message} (${refusal.code}).`)
}

const MAX_PAUSE_SECONDS = 300

function pauseOf({ headers }: Response): number {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text), MAX_PAUSE_SECONDS) * SECOND : 0
}

function readRefusal(text: string): { code: string; message: string } | null {
  const error = memberOf(parseOrNull(text), 'error')
  const [code, message] = [memberOf(error, 'code'), memberOf(error, 'message')]
  return typeof code === 'string' && typeof message === 'string' ? { code, message: message.replace(/\.$/, '') } : null
}

/** Null for a text that is no JSON. The digits of integers beyond 2^53 are kept. */
export function parseOrNull(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return null
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
