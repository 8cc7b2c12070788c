/** Above a Postgres statement timeout, below the 8 s in which an answer must leave (wire 3.2). */
export const SILENCE_MS = 7500

/** Ends the wait for a database that hangs, or whose network is gone without a word: it never says so itself. */
export class Silence {
  private readonly tooLong = Promise.withResolvers<never>()
  private timer = this.start()

  /** `onSilence` runs when the wait was in vain; what was waited for goes on, and nobody waits for it. */
  constructor(private readonly onSilence: () => void = () => {}) {}

  /** Something was heard: the wait begins again. */
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
