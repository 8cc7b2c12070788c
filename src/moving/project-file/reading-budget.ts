import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { retryAfterSeconds } from '../../base/http/rate-limit'

/** Of the file and of all texts that its placeholders name, each time that one is named. About half a second of work. */
export const MAX_TOKENS = 100_000
/** For one person, whatever the project. */
export const TOKENS_PER_MINUTE = 1_000_000
const LIMITER = 'project file tokens'

/** What one request may give to read: a number of tokens, and a person has a number of them in a minute. */
export class ReadingBudget {
  #left = MAX_TOKENS

  constructor(
    private readonly ctx: Context,
    private readonly userId: string,
  ) {}

  /** How many tokens the next text may have. */
  most(): number {
    return Math.min(this.#left, this.hit(0).remaining)
  }

  /** Counts a text. 400 when the request has too many tokens, 429 when the person had too many. */
  charge(count: number): void {
    const { remaining } = this.hit(0)
    const isOverMinute = this.hit(Math.min(count, remaining)).remaining === 0 && count > remaining
    if (isOverMinute) throw this.overMinute()
    this.#left -= count
    if (this.#left < 0) throw tooLong()
  }

  private hit(amount: number): { remaining: number; resetAt: number } {
    const { ctx, userId } = this
    const state = ctx.state.rateLimits.hit(LIMITER, userId, TOKENS_PER_MINUTE, ctx.clock.now(), amount)
    return state ?? { remaining: TOKENS_PER_MINUTE, resetAt: 0 }
  }

  private overMinute(): AppError {
    const retryAfter = retryAfterSeconds({ ...EXCEEDED, resetAt: this.hit(0).resetAt }, this.ctx.clock.now())
    const message = `You sent more project files than the server reads for one person in a minute; send this one again in ${retryAfter} s`
    return new AppError('RATE_LIMITED', { retryAfterSeconds: retryAfter }, { retryAfter, message })
  }
}

const EXCEEDED = { name: LIMITER, limit: TOKENS_PER_MINUTE, remaining: 0, isExceeded: true }

const tooLong = (): AppError =>
  invalid(
    `The file has more than ${MAX_TOKENS} YAML tokens, texts of placeholders included. Apply it in parts, a few sections at a time, or with svc apply on the machine of the server, which has no such limit`,
  )
