import { type ReadTurn, TurnQueue } from '../db/turn-queue'
import { rest } from '../jobs/rest'
import { monotonicMs } from '../lib/clock'

/** Work that was done without a turn is paid for when it has held the main thread so long. */
const MOST_OWED_MS = 20

/**
 * Pieces of work that each hold the main thread for some hundredths of a second: a page of a long download, a large file
 * that is read. One of them runs at a time, projects take turns, and while the server has other callers, most of the time
 * is theirs. Imports and long charts take their pauses here too, so that all of this together has one share.
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

  /**
   * The pause after work that could not wait for a turn, because it also waits for others: a batch of an import reads its
   * file from elsewhere. It is a turn of its own, so that such work and all pieces have one share of the main thread.
   */
  rest(workedMs: number, turn: ReadTurn): Promise<void> {
    return this.queue.run(() => this.pause(workedMs), turn)
  }

  /**
   * For a computation of many short parts between reads. The function runs a part at once; when the parts so far have
   * held the main thread for long, it takes a turn that is only a pause.
   */
  parts(turn: ReadTurn): (part: () => void) => Promise<void> {
    const debt = this.debt(turn)
    return async (part) => {
      const beganMs = monotonicMs()
      part()
      debt.add(monotonicMs() - beganMs)
      await debt.pay()
    }
  }

  /** What work has held the main thread without a turn. It is paid with a pause as soon as it is much. */
  debt(turn: ReadTurn): Debt {
    let owedMs = 0
    return {
      add: (workedMs) => {
        owedMs += workedMs
      },
      pay: async () => {
        if (owedMs < MOST_OWED_MS) return
        const workedMs = owedMs
        owedMs = 0
        await this.rest(workedMs, turn)
      },
    }
  }
}

interface Debt {
  add(workedMs: number): void
  /** Never call it inside of a turn: it would wait for itself. */
  pay(): Promise<void>
}
