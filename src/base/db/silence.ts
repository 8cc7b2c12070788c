/**
 * Longer than the statement timeout of Postgres, and shorter than the 8 s in which a response must be sent (wire 3.2).
 */
export const SILENCE_MS = 7500

interface Parts {
  /** How long nothing may arrive, in milliseconds. */
  ms: number
  /** Runs when no answer came in time. The caller gets an error; the work itself is not stopped. */
  onSilence(): void
  /** Runs at each answer of the database. */
  onAnswer(): void
}

/** Ends the wait for a database that hangs or whose network is gone: in both cases no error ever arrives. */
export class Silence {
  private readonly tooLong = Promise.withResolvers<never>()
  private timer: ReturnType<typeof setTimeout>
  /** True once the caller has a result or an error. */
  isOver = false

  constructor(private readonly parts: Parts) {
    this.timer = this.start()
  }

  /** Something was sent to the database: the wait starts again. */
  restart(): void {
    clearTimeout(this.timer)
    if (!this.isOver) this.timer = this.start()
  }

  /** Something arrived from the database. */
  answered(): void {
    this.parts.onAnswer()
    this.restart()
  }

  async orResult<Result>(work: PromiseLike<Result>): Promise<Result> {
    try {
      const result = await Promise.race([work, this.tooLong.promise])
      this.parts.onAnswer()
      return result
    } finally {
      this.isOver = true
      clearTimeout(this.timer)
    }
  }

  private start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.isOver = true
      this.tooLong.reject(silent(this.parts.ms))
      this.parts.onSilence()
    }, this.parts.ms)
  }
}

const silent = (ms: number): Error =>
  Object.assign(new Error(`the database has not answered for ${ms} ms`), { code: 'CONNECT_TIMEOUT' })
