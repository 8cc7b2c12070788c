import { type ReadTurn, TurnQueue } from '../db/turn-queue'
import { rest } from '../jobs/rest'
import { monotonicMs } from '../lib/clock'

/**
 * Pieces of work that each hold the main thread for some hundredths of a second: a page of a long download, a large file
 * that is read. One of them runs at a time, projects take turns, and while the server has other callers, most of the time
 * is theirs.
 */
export class LongTurns {
  private readonly queue = new TurnQueue(['main thread'])

  constructor(private readonly pause: typeof rest = rest) {}

  /** The result is there before the pause that follows. */
  run<Result>(work: () => Result | Promise<Result>, turn: ReadTurn): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const piece = async () => {
      const beganMs = monotonicMs()
      try {
        resolve(await work())
      } catch (error) {
        reject(error)
      }
      await this.pause(monotonicMs() - beganMs)
    }
    this.queue.run(piece, turn).catch(reject)
    return promise
  }
}
