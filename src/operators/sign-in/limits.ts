import type { Context, Tx } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { SlidingWindow } from '../../base/http/rate-limit'
import { callerAddress, factsOf } from '../../base/http/request'
import { Limits } from '../../base/http/shared/limits'
import { MINUTE } from '../../base/lib/clock'
import type { Visit } from '../accounts/cookies'
import { emailKey } from '../accounts/email'

const PER_ADDRESS_A_MINUTE = 20
const PER_MAIL_AND_ADDRESS = 10
const SIGN_UP_MAILS = 5
/** Three of a million codes are right at a time. */
const GUESSES = 20

export const createSignInLimits = ({ state }: Context): Limits =>
  new Limits(new SlidingWindow(15 * MINUTE), state.sharedCache)

/** Counts one attempt of a client address, whatever it asks for. */
export async function limitAddress(ctx: Context, { request, headers }: Visit): Promise<void> {
  const facts = factsOf(request)
  const who = callerAddress(ctx, request, facts)
  const now = ctx.clock.now()
  countLimit(ctx, facts, headers, await ctx.state.limits.hit('sign-in', who, PER_ADDRESS_A_MINUTE, now))
}

/**
 * Counts one attempt for a mail address from a client address. Another client address has a count of its own, so a
 * stranger cannot lock out the owner.
 */
export async function limitMail(
  ctx: Context,
  { request, headers }: Visit,
  purpose: string,
  email: string,
): Promise<void> {
  const facts = factsOf(request)
  const who = `${purpose} ${emailKey(email)} ${callerAddress(ctx, request, facts)}`
  const now = ctx.clock.now()
  countLimit(ctx, facts, headers, await ctx.state.signInLimits.hit('mail', who, PER_MAIL_AND_ADDRESS, now))
}

/** Counts one attempt to show again, within a session, that it is the person: by a password or a code. */
export async function limitProof(ctx: Context, { request, headers }: Visit, userId: string): Promise<void> {
  const now = ctx.clock.now()
  const state = await ctx.state.signInLimits.hit('proof', userId, PER_MAIL_AND_ADDRESS, now)
  countLimit(ctx, factsOf(request), headers, state)
}

/**
 * Counts one code of the authenticator app before it is compared; returns what takes the count back when the code is
 * right. Each challenge ends by itself after five wrong codes, but whoever knows the password can open many, from many
 * addresses. A client address from which the person has a session counts by itself, and backup codes are not counted,
 * so that the owner cannot be locked out. Each process counts these by itself.
 */
export function limitCode(ctx: Context, { request, headers }: Visit, who: string): () => void {
  const now = ctx.clock.now()
  const { signInLimits } = ctx.state
  countLimit(ctx, factsOf(request), headers, signInLimits.hitHere('code', who, GUESSES, now))
  return () => signInLimits.giveBackHere('code', who, now)
}

/**
 * Whether a sign-up may mail once more to a user's address: five times in 15 minutes, from wherever it is asked. It is
 * asked within a transaction, so each process counts by itself.
 */
export const mayMailSignUp = ({ state, clock }: Tx, userId: string): boolean =>
  state.signInLimits.hitHere('sign-up mail', userId, SIGN_UP_MAILS, clock.now())?.isExceeded !== true
