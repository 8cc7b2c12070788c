import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { type Call, guarded } from '../../base/http/guarded'
import { callerAddress, type RequestFacts } from '../../base/http/request'

/** Calls of a client address in a minute (wire 6). */
const PER_MINUTE = { session: 30, answer: 120, advance: 120, state: 240 } as const

export type FunnelLimit = keyof typeof PER_MINUTE

/** Counts one call of a client address; 429 where it is one too many. Holds also where `SVC_RATE_IP` is 0. */
export async function countFunnelCall(
  ctx: Context,
  kind: FunnelLimit,
  call: { request: Request; facts: RequestFacts; headers: Record<string, string | number> },
): Promise<void> {
  const who = callerAddress(ctx, call.request, call.facts)
  const now = ctx.clock.now()
  const state = await ctx.state.limits.hit(`funnel-${kind}`, who, PER_MINUTE[kind], now)
  countLimit(ctx, call.facts, call.headers, state)
}

/** Routes for visitors, without sign-in and with a limit for each client address. */
export const visitors = (ctx: Context, kind: FunnelLimit) =>
  guarded(ctx, {
    detail: { 'x-door': 'public', 'x-who': 'visitors' },
    authenticate: async (call: Call) => {
      await countFunnelCall(ctx, kind, call)
      return {}
    },
    keyScope: null,
  })
