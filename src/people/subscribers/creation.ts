import type { Context, Tx } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import type { LimitState } from '../../base/http/rate-limit'
import { callerAddress, factsOf, type RequestFacts } from '../../base/http/request'
import { platformOf } from './device-key'

/** What a call brings along for the subscriber that it may create. */
export interface Creation {
  /** Becomes the attribute `platform` of the new row. */
  platform: ReturnType<typeof platformOf>
  /** The place of the call in the limit of new subscribers; null for a server, which is not limited. */
  place: NewPlace | null
}

/** For a call that may create the subscriber of a device key (wire 1.8). */
export function creationOf(ctx: Context, request: Request): Creation {
  const facts = factsOf(request)
  const isLimited = facts.presented === 'public' && ctx.config.rateNew > 0
  return {
    platform: platformOf(request.headers),
    place: isLimited ? new NewPlace(ctx, facts, callerAddress(ctx, request, facts)) : null,
  }
}

const LIMITER = 'new'

/**
 * One new subscriber of a client address (wire 6). It is taken before the row is inserted, so that two calls at once
 * cannot both have the last one, and given back when the row is not committed: only calls that create a row count.
 */
export class NewPlace {
  private takenAt: number | null = null
  private madeIn: Tx | null = null

  constructor(
    private readonly ctx: Context,
    private readonly facts: RequestFacts,
    private readonly address: string,
  ) {}

  /** Throws 429 `RATE_LIMITED` when the address has none left. A second call does nothing. */
  take(): void {
    if (this.takenAt === null) countLimit(this.ctx, this.facts, this.facts.headers, this.count())
    this.facts.undo = () => this.giveBack()
  }

  /** A transaction has inserted the row. */
  made(tx: Tx): void {
    this.madeIn = tx
    tx.afterCommit(() => this.keep())
  }

  /** A transaction has found a row. The place is not needed, unless it was this transaction that inserted the row. */
  found(tx: Tx): void {
    if (this.madeIn !== tx) this.giveBack()
  }

  /** The row is committed. A call that was answered too early has given its place back, so it is counted again. */
  private keep(): void {
    if (this.takenAt === null) this.count()
    this.takenAt = null
    this.facts.undo = null
  }

  private giveBack(): void {
    if (this.takenAt !== null) this.ctx.state.rateLimits.giveBack(LIMITER, this.address, this.takenAt)
    this.takenAt = null
  }

  private count() {
    const { ctx, address } = this
    const now = ctx.clock.now()
    const state = ctx.state.rateLimits.hit(LIMITER, address, ctx.config.rateNew, now)
    if (state?.isExceeded === false) this.takenAt = now
    if (state) warnOfOneAddress(ctx, state, now)
    return state
  }
}

/**
 * Behind a proxy that is not believed, everybody has the address of the proxy, and the limit would refuse people on the day
 * on which an app comes out. So half of the limit from one address is a warning.
 */
function warnOfOneAddress({ config, state, log }: Context, { limit, remaining }: LimitState, now: number): void {
  const subscribers = limit - remaining
  if (config.trustedProxies > 0 || subscribers < limit / 2) return
  if (!state.findings.note('one address', { subscribers, limit }, now)) return
  log.warn('many new subscribers come from one address; behind a proxy, set SVC_TRUSTED_PROXIES', {
    subscribers,
    limit,
  })
}
