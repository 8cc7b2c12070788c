import { isIP } from 'node:net'
import { MINUTE, monotonicMs, SECOND } from '../../../base/lib/clock'
import { type AcmeClient, pause } from './client'
import { AcmeError, problemOf, readRetryAfter } from './problem'
import { addressIn } from './transport'

export type ChallengeType = 'http-01' | 'tls-alpn-01'

/** How the proof of a name is put in place. */
export interface Prover {
  type: ChallengeType
  /** Puts the proof of a token in place, and returns what takes it away. */
  provide(name: string, keyAuthorization: string): Promise<() => Promise<void>>
}

export interface NewOrder {
  name: string
  profile: string | null
  /** The certificate that this one replaces, as renewal information names it; null = none. */
  replaces: string | null
}

/** How long one order may take. What has started is continued at the next attempt. */
const ORDER_MS = 4 * MINUTE

/** Starts an order; returns its address. */
export async function beginOrder(client: AcmeClient, { name, profile, replaces }: NewOrder): Promise<string> {
  const identifiers = [{ type: isIP(name) === 0 ? 'dns' : 'ip', value: name }]
  const wish = { identifiers, ...(profile !== null && { profile }) }
  try {
    return await place(client, { ...wish, ...(replaces !== null && { replaces }) })
  } catch (error) {
    // The authority may not know the old certificate any more, or another order has replaced it.
    const isOfReplaced = error instanceof AcmeError && /^(alreadyReplaced|conflict|malformed)$/.test(error.type)
    if (replaces === null || !isOfReplaced) throw error
    return place(client, wish)
  }
}

async function place(client: AcmeClient, wish: object): Promise<string> {
  const { headers } = await client.post(client.directory.newOrder, wish)
  const location = headers.get('location')
  if (location === null) throw new AcmeError('malformedAnswer', 'it gave no address of the order')
  return location
}

/** Leads an order to its end; returns the chain as PEM. `csr` is DER in base64url. */
export async function completeOrder(client: AcmeClient, url: string, csr: string, prover: Prover): Promise<string> {
  const until = monotonicMs() + ORDER_MS
  for (;;) {
    const { body, headers } = await client.post(url)
    if (body.status === 'valid') return client.readText(addressIn(body, 'certificate'))
    if (body.status === 'invalid') throw problemOf(body.error, 'the order is invalid')
    if (body.status === 'ready') await finalize(client, addressIn(body, 'finalize'), csr)
    else if (body.status === 'pending') await authorize(client, body, prover, until)
    if (monotonicMs() > until) throw new AcmeError('unreachable', 'the order was not finished in 4 minutes')
    await pause(client.parts.signal, body.status === 'processing' ? pauseOf(client, headers) : 0)
  }
}

/** A repeated call may find that an earlier one, whose answer was lost, has finalised the order. */
async function finalize(client: AcmeClient, url: string, csr: string): Promise<void> {
  try {
    await client.post(url, { csr })
  } catch (error) {
    if (!(error instanceof AcmeError && error.type === 'orderNotReady')) throw error
    await pause(client.parts.signal, SECOND)
  }
}

async function authorize(client: AcmeClient, order: Record<string, unknown>, prover: Prover, until: number) {
  const urls = Array.isArray(order.authorizations) ? order.authorizations : []
  if (urls.length === 0) throw new AcmeError('malformedAnswer', 'the order has no authorizations')
  for (const url of urls) await proveAt(client, String(url), prover, until)
}

interface Challenge {
  type: string
  url: string
  token: string
  status: string
}

async function proveAt(client: AcmeClient, url: string, prover: Prover, until: number): Promise<void> {
  const { body } = await client.post(url)
  if (body.status === 'valid') return
  const challenge = challengesOf(body).find(({ type }) => type === prover.type)
  if (body.status !== 'pending') throw problemOf(failureIn(body), `the authorization is ${String(body.status)}`)
  if (!challenge) throw new AcmeError('malformedAnswer', `the authority offers no ${prover.type} for this name`)
  const name = String((body.identifier as Record<string, unknown> | undefined)?.value ?? '')
  const withdraw = await prover.provide(name, `${challenge.token}.${client.key.thumbprint}`)
  try {
    if (challenge.status === 'pending') await client.post(challenge.url, {})
    await untilValid(client, url, until)
  } finally {
    await withdraw()
  }
}

async function untilValid(client: AcmeClient, url: string, until: number): Promise<void> {
  for (;;) {
    const { body, headers } = await client.post(url)
    if (body.status === 'valid') return
    if (body.status !== 'pending') throw problemOf(failureIn(body), `the authorization is ${String(body.status)}`)
    if (monotonicMs() > until) throw new AcmeError('unreachable', 'the name was not checked in 4 minutes')
    await pause(client.parts.signal, pauseOf(client, headers))
  }
}

function challengesOf({ challenges }: Record<string, unknown>): Challenge[] {
  const all = Array.isArray(challenges) ? (challenges as Record<string, unknown>[]) : []
  return all.flatMap(({ type, url, token, status }) =>
    typeof token === 'string' && /^[\w-]{16,128}$/.test(token)
      ? [{ type: String(type), url: String(url), token, status: String(status) }]
      : [],
  )
}

const failureIn = ({ challenges }: Record<string, unknown>): unknown =>
  (Array.isArray(challenges) ? (challenges as Record<string, unknown>[]) : []).find(({ error }) => error)?.error

const pauseOf = ({ parts }: AcmeClient, headers: Headers): number =>
  Math.min(10 * SECOND, Math.max(SECOND / 2, readRetryAfter(headers.get('retry-after'), parts.now()) ?? SECOND / 2))
