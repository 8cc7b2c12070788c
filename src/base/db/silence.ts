/**
 * Longer than the statement timeout of Postgres, and shorter than the 8 s in which a response must be sent (wire 3.2).
 */
export const SILENCE_MS = 7500

/** Ends the wait for a database that hangs or whose network is gone: in both cases no error ever arrives. */
export class Silence {
  private readonly tooLong = Promise.withResolvers<never>()
  private timer = this.start()

  /**
   * `onSilence` runs when the wait has ended without an answer. The work goes on, but no caller waits for it any more.
   */
  constructor(private readonly onSilence: () => void = () => {}) {}

  /** Something arrived from the database: the wait starts again. */
  isBroken(): void {
    clearTimeout(this.timer)
    this.timer = this.start()
  }

  async orResult<Result>(work: PromiseLike<Result>): Promise<Result> {
    try {
      return await Promise.race([work, this.tooLong.promise])
    } finally {
      clearTimeout(this.timer)
    }
  }

  private start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.tooLong.reject(silent())
      this.onSilence()
    }, SILENCE_MS)
  }
}

const silent = (): Error =>
  Object.assign(new Error(`the database has not answered for ${SILENCE_MS} ms`), { code: 'CONNECT_TIMEOUT' })
