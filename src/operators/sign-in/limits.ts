import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { SlidingWindow } from '../../base/http/rate-limit'
import { callerAddress, factsOf } from '../../base/http/request'
import { MINUTE } from '../../base/lib/clock'
import type { Visit } from '../accounts/cookies'
import { emailKey } from '../accounts/email'

const PER_ADDRESS_A_MINUTE = 20
const PER_MAIL_AND_ADDRESS = 10

export const createSignInLimits = (): SlidingWindow => new SlidingWindow(15 * MINUTE)

/** Counts one attempt of a client address, whatever it asks for. */
export function limitAddress(ctx: Context, { request, headers }: Visit): void {
  const facts = factsOf(request)
  const who = callerAddress(ctx, request, facts)
  const now = ctx.clock.now()
  countLimit(ctx, facts, headers, ctx.state.rateLimits.hit('sign-in', who, PER_ADDRESS_A_MINUTE, now))
}

/**
 * Counts one attempt for a mail address from a client address. Another client address has a count of its own, so a
 * stranger cannot lock out the owner.
 */
export function limitMail(ctx: Context, { request, headers }: Visit, purpose: string, email: string): void {
  const facts = factsOf(request)
  const who = `${purpose} ${emailKey(email)} ${callerAddress(ctx, request, facts)}`
  const now = ctx.clock.now()
  countLimit(ctx, facts, headers, ctx.state.signInLimits.hit('mail', who, PER_MAIL_AND_ADDRESS, now))
}
