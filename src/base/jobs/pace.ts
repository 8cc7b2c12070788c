import { monotonicMs } from '../lib/clock'

interface Limits {
  /** How long a batch is to hold the one writer of a database file, during which no request of the server is answered. */
  wantedMs: number
  /** Records of the first batch, whose statements are built then. */
  first: number
  min: number
  max: number
}

const MAX_GROWTH = 2
/** The weight of the last batch against the earlier ones in the estimate of the next. */
const WEIGHT = 0.4

/** Finds the number of records that is written in the wanted time. */
export class Pace {
  /** Records of the next batch. */
  records: number
  /** How long the last batch took. */
  workedMs = 0
  private msEach: number | null = null

  constructor(private readonly limits: Limits) {
    this.records = limits.first
  }

  async timed<Result>(records: number, write: () => Promise<Result>): Promise<Result> {
    const startedAtMs = monotonicMs()
    const result = await write()
    this.workedMs = monotonicMs() - startedAtMs
    const each = Math.max(1, this.workedMs) / Math.max(1, records)
    this.msEach = (this.msEach ?? each) * (1 - WEIGHT) + each * WEIGHT
    const { wantedMs, min, max } = this.limits
    const next = Math.floor(wantedMs / this.msEach)
    this.records = Math.max(min, Math.min(next, this.records * MAX_GROWTH, max))
    return result
  }
}
