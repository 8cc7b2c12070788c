import type { FileRate } from './csv-file'
import { toDate } from './day'
import { atLine } from './file-fault'
import { roughRate, writeRate } from './rate'
import type { RateTable } from './rate-table'

/** No currency is worth more, or less. */
const HIGHEST = 10_000
const LOWEST = 1e-9

/** A currency that changes more than this within a month was not stated as dollars per unit. */
const MAX_CHANGE = 10
const NEAR_DAYS = 31

/**
 * Checks the rates of a file, in its order. `check` throws a `RateFileFault` when a rate is too far from all that a
 * currency can be worth, from the one before it in the file, or from the one that is known for its day or earlier; the
 * last two only within a month. So a file with units per dollar in the place of dollars per unit is refused.
 */
export class Plausibility {
  private readonly latest = new Map<string, Near>()

  constructor(private readonly known: RateTable) {}

  check(one: FileRate): void {
    const { line, day, currency, rate } = one
    const value = roughRate(rate)
    const says = () => `${currency} of ${toDate(day)} is ${writeRate(rate)} dollars`
    if (value > HIGHEST || value < LOWEST) throw atLine(line, `${says()}, which no currency is worth`)
    for (const near of [this.latest.get(currency), this.known.find(currency, day)])
      if (near && isLeap(day, value, near))
        throw atLine(line, `${says()}, but ${writeRate(near.rate)} on ${toDate(near.day)}; state dollars per unit`)
    this.latest.set(currency, one)
  }
}

type Near = Pick<FileRate, 'day' | 'rate'>

function isLeap(day: number, value: number, near: Near): boolean {
  if (Math.abs(day - near.day) > NEAR_DAYS) return false
  const change = value / roughRate(near.rate)
  return change > MAX_CHANGE || change < 1 / MAX_CHANGE
}
