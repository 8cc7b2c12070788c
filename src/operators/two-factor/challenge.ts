import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { type Begun, beginIn, type From, handOver, lockUser, originOf } from '../accounts/begin'
import { readCookie, type Visit } from '../accounts/cookies'
import type { Account } from '../accounts/users'
import { limitCode } from '../sign-in/limits'
import { isTotp, loadOtp, useCode } from './code'
import { countAttempt, deleteChallenge, findChallengeUser, hasSessionFrom } from './queries'
import { tellWrongCodes } from './wrong-codes'

const MAX_ATTEMPTS = 5

/** Answers the challenge of the cookie with a code. 401 for a wrong one; five wrong ones end the challenge. */
export async function answerChallenge(ctx: Context, visit: Visit, code: string): Promise<Account> {
  const cookie = readCookie(ctx, visit.request, 'svc_challenge')
  const tokenHash = cookie === null ? null : sha256Hex(cookie)
  const userId = tokenHash && (await findChallengeUser(ctx, tokenHash, ctx.clock.now()))
  if (!tokenHash || !userId) throw refused()
  const otp = await loadOtp()
  const from = originOf(ctx, visit)
  const wasRight = isTotp(code) ? await limitGuess(ctx, visit, userId, from) : null
  // A refusal is a result and not thrown, because throwing would undo the counting of the attempt.
  const begun = await ctx.write((tx) => attempt(tx, { otp, from, tokenHash, userId, code }))
  if (begun?.next !== null) throw refused()
  wasRight?.()
  handOver(ctx, visit, begun)
  return begun.account
}

async function limitGuess(ctx: Context, visit: Visit, userId: string, { ip }: From): Promise<() => void> {
  const isKnown = await hasSessionFrom(ctx, userId, ip, ctx.clock.now())
  return limitCode(ctx, visit, isKnown ? `${userId} ${ip}` : userId)
}

interface Attempt {
  otp: Awaited<ReturnType<typeof loadOtp>>
  from: From
  tokenHash: string
  userId: string
  code: string
}

async function attempt(tx: Tx, { otp, from, tokenHash, userId, code }: Attempt): Promise<Begun | null> {
  await lockUser(tx, userId)
  if (!(await countAttempt(tx, tokenHash, tx.clock.now(), MAX_ATTEMPTS))) return null
  if (!(await useCode(tx, otp, userId, code))) {
    await tellWrongCodes(tx, userId, from.ip)
    return null
  }
  await deleteChallenge(tx, tokenHash)
  return beginIn(tx, from, userId, { by: 'TWO_FACTOR' })
}

const refused = (): AppError =>
  new AppError('UNAUTHORIZED', undefined, { message: 'The code is wrong, or the sign-in is over; sign in again' })
