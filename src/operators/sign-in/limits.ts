import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { SlidingWindow } from '../../base/http/rate-limit'
import { callerAddress, factsOf } from '../../base/http/request'
import { Limits } from '../../base/http/shared/limits'
import { MINUTE } from '../../base/lib/clock'
import type { Visit } from '../accounts/cookies'
import { emailKey } from '../accounts/email'

const PER_ADDRESS_A_MINUTE = 20
const PER_MAIL_AND_ADDRESS = 10

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
