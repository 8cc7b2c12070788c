import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { MINUTE, SECOND } from '../../base/lib/clock'
import type { GoogleKeys } from './google-keys'

/**
 * Why a push is refused. `keys_unavailable` says nothing about the token: Google's keys could not be fetched, and
 * Google should send the push again.
 */
export type PushTokenRefusal =
  | 'missing'
  | 'too_large'
  | 'malformed'
  | 'algorithm'
  | 'unknown_key'
  | 'keys_unavailable'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'account'
  | 'expired'
  | 'not_yet_valid'

export type PushTokenResult = { ok: true; email: string; issuedAt: number } | { ok: false; reason: PushTokenRefusal }

export interface PushTokenCheck {
  keys: Pick<GoogleKeys, 'find'>
  /** The address that Google pushes to, compared character by character. */
  audience: string
  /** E-mail of the service account that the Pub/Sub subscription uses for its pushes. */
  serviceAccount: string
  now: number
}

const MAX_CHARS = 8 * 1024
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
/** The largest accepted difference between the two clocks. */
const SKEW_MS = MINUTE

/** Checks the `Authorization` header of a push: an OIDC token that Google issued for this endpoint (wire 7.17). */
export async function checkPushToken(authorization: string | null, check: PushTokenCheck): Promise<PushTokenResult> {
  if (!authorization) return refuse('missing')
  if (authorization.length > MAX_CHARS) return refuse('too_large')
  const [, token = ''] = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization) ?? []
  const header = readHeader(token)
  if (!header) return refuse('malformed')
  if (header.alg !== 'RS256' || 'crit' in header) return refuse('algorithm')
  if (typeof header.kid !== 'string') return refuse('malformed')
  const found = await check.keys.find(header.kid)
  return found.ok ? verify(token, found.key, check) : refuse(found.reason)
}

async function verify(token: string, key: Parameters<typeof jwtVerify>[1], check: PushTokenCheck) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['RS256'],
      issuer: ISSUERS,
      audience: check.audience,
      currentDate: new Date(check.now),
      clockTolerance: SKEW_MS / SECOND,
      requiredClaims: ['exp', 'iat'],
    })
    return checkClaims(payload, check)
  } catch (error) {
    return refuse(refusalOf(error))
  }
}

function checkClaims(payload: JWTPayload, { audience, serviceAccount, now }: PushTokenCheck): PushTokenResult {
  const { aud, iat, email } = payload
  const issuedAt = Number(iat) * SECOND
  // The audience must be this endpoint alone, not a list that contains it.
  if (aud !== audience) return refuse('audience')
  if (issuedAt > now + SKEW_MS) return refuse('not_yet_valid')
  if (email !== serviceAccount || payload.email_verified !== true) return refuse('account')
  return { ok: true, email: serviceAccount, issuedAt }
}

function refusalOf(error: unknown): PushTokenRefusal {
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'malformed'
  return CLAIMS.get(error.claim) ?? 'malformed'
}

const CLAIMS = new Map<string, PushTokenRefusal>([
  ['iss', 'issuer'],
  ['aud', 'audience'],
  ['nbf', 'not_yet_valid'],
])

function readHeader(token: string) {
  try {
    return decodeProtectedHeader(token)
  } catch {
    return null // Not a token.
  }
}

const refuse = (reason: PushTokenRefusal): PushTokenResult => ({ ok: false, reason })
