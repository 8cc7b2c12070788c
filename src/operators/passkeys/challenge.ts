import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { CHALLENGE_LIFE_MS } from '../accounts/begin'
import { readCookie, type Visit, writeCookies } from '../accounts/cookies'
import { openCookie, signCookie } from '../accounts/sealed-cookie'
import { spendChallenge } from './queries'

interface Kept {
  challenge: string
  /** The user who makes a passkey; null for a sign-in. */
  userId: string | null
}

const PURPOSE = 'passkey challenge'

/** A new challenge, which this browser must have signed within ten minutes. */
export function giveChallenge(ctx: Context, visit: Visit, userId: string | null): Uint8Array<ArrayBuffer> {
  const challenge = ctx.ids.token(43)
  const value = signCookie(ctx, PURPOSE, { challenge, userId }, CHALLENGE_LIFE_MS)
  writeCookies(ctx, visit, { svc_challenge: { value, lifeMs: CHALLENGE_LIFE_MS } })
  return new TextEncoder().encode(challenge)
}

/** The challenge that this browser got for this user, in the form in which an authenticator signs it. Else 401. */
export function takeChallenge(ctx: Context, { request }: Visit, userId: string | null): string {
  const kept = openCookie<Kept>(ctx, PURPOSE, readCookie(ctx, request, 'svc_challenge'))
  if (!kept || kept.userId !== userId) throw refused()
  return Buffer.from(kept.challenge).toString('base64url')
}

/** 401 when the challenge was answered before. */
export async function spend(tx: Tx, challenge: string): Promise<void> {
  const until = tx.clock.now() + CHALLENGE_LIFE_MS
  if (!(await spendChallenge(tx, sha256Hex(`passkey ${challenge}`), until))) throw refused()
}

/** The same for an unknown passkey, a wrong signature and a replay. */
export const refused = (cause?: unknown): AppError =>
  new AppError('UNAUTHORIZED', undefined, { cause, message: 'The passkey was not accepted; try again' })
