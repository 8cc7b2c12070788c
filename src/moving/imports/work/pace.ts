import { monotonicMs } from '../../../base/lib/clock'
import { MAX_BATCH } from '../rows/open-rows'

/** How long a batch is to hold the one writer of a database file, during which no request of the server is answered. */
const WANTED_MS = 80
/** Its statements are built first. */
const FIRST_BATCH = 50
const MIN_BATCH = 25
const MAX_GROWTH = 2
/** How much the last batch says about the next one, beside those before it. */
const WEIGHT = 0.4

/** Finds the number of records that is written in the wanted time. */
export class Pace {
  /** Records of the next batch. */
  records = FIRST_BATCH
  private msEach: number | null = null

  async timed<Result>(records: number, write: () => Promise<Result>): Promise<Result> {
    const startedAtMs = monotonicMs()
    const result = await write()
    const each = Math.max(1, monotonicMs() - startedAtMs) / Math.max(1, records)
    this.msEach = (this.msEach ?? each) * (1 - WEIGHT) + each * WEIGHT
    const next = Math.floor(WANTED_MS / this.msEach)
    this.records = Math.max(MIN_BATCH, Math.min(next, this.records * MAX_GROWTH, MAX_BATCH))
    return result
  }
}
