import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../../base/lib/clock'
import { answerText } from '../answer-text'

export const CONNECT_URL = 'https://connect.stripe.com'

const TIMEOUT_MS = 8 * SECOND

/** The platform at the payment provider, in one mode. */
export interface Platform {
  clientId: string
  secretKey: string
  /** Null = the real address. */
  url: string | null
}

export type OAuthResult<Value> =
  | { ok: true; value: Value }
  /** No usable answer; the call can be tried again. */
  | { ok: false; kind: 'unavailable' }
  /** `error`: the provider's word, such as `invalid_grant`. */
  | { ok: false; kind: 'rejected'; error: string | null }

/** Where a person allows the platform to act for their account. The provider then sends them to `redirectUri`. */
export function authorizeUrl({ clientId, url }: Platform, redirectUri: string, state: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: 'read_write',
    redirect_uri: redirectUri,
    state,
  })
  return `${url ?? CONNECT_URL}/oauth/authorize?${query}`
}

const open = { additionalProperties: true }
const Account = Type.String({ pattern: '^acct_\\w{1,240}$' })
const Granted = Type.Object({ stripe_user_id: Account, livemode: Type.Boolean() }, open)
const Released = Type.Object({ stripe_user_id: Account }, open)
const Refused = Type.Object({ error: Type.String({ maxLength: 100 }) }, open)

/** The account of the person who came back with the code. A code works once. */
export const exchangeCode = (platform: Platform, code: string): Promise<OAuthResult<Static<typeof Granted>>> =>
  post(platform, '/oauth/token', { grant_type: 'authorization_code', code }, Granted)

/** Ends the right of the platform to act for an account. */
export const deauthorize = (platform: Platform, account: string): Promise<OAuthResult<Static<typeof Released>>> =>
  post(platform, '/oauth/deauthorize', { client_id: platform.clientId, stripe_user_id: account }, Released)

async function post<Schema extends typeof Granted | typeof Released>(
  { secretKey, url }: Platform,
  path: string,
  form: Record<string, string>,
  schema: Schema,
): Promise<OAuthResult<Static<Schema>>> {
  try {
    const response = await fetch(`${url ?? CONNECT_URL}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { status } = response
    const body: unknown = JSON.parse(await answerText(response))
    if (status === 429 || status >= 500) return { ok: false, kind: 'unavailable' }
    if (status === 200 && Value.Check(schema, body)) return { ok: true, value: body }
    return { ok: false, kind: 'rejected', error: Value.Check(Refused, body) ? body.error : null }
  } catch {
    return { ok: false, kind: 'unavailable' } // No connection, a timeout, or an answer that is not JSON.
  }
}
