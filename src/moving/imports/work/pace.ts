import { monotonicMs } from '../../../base/lib/clock'
import { MAX_BATCH } from '../rows/open-rows'

/** How long a batch is to hold the one writer of a database file, during which no request of the server is answered. */
const WANTED_MS = 100
const FIRST_BATCH = 200
const MIN_BATCH = 50
const MAX_GROWTH = 2

/** Finds the number of records that is written in the wanted time. */
export class Pace {
  /** Records of the next batch. */
  records = FIRST_BATCH

  async timed<Result>(records: number, write: () => Promise<Result>): Promise<Result> {
    const startedAtMs = monotonicMs()
    const result = await write()
    const next = Math.floor((records * WANTED_MS) / Math.max(1, monotonicMs() - startedAtMs))
    this.records = Math.max(MIN_BATCH, Math.min(next, this.records * MAX_GROWTH, MAX_BATCH))
    return result
  }
}
