import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { factsOf } from '../../base/http/request'

const READS_PER_MINUTE = 120
const CHANGES_PER_MINUTE = 5

interface Counted {
  user: { id: string }
  request: Request
  set: { headers: Record<string, string | number> }
}

/** Counts a call of a person. 429 `RATE_LIMITED`. */
export async function count(ctx: Context, kind: 'read' | 'change', { user, request, set }: Counted): Promise<void> {
  const limit = kind === 'read' ? READS_PER_MINUTE : CHANGES_PER_MINUTE
  const state = await ctx.state.limits.hit(`import-${kind}`, user.id, limit, ctx.clock.now())
  countLimit(ctx, factsOf(request), set.headers, state)
}
