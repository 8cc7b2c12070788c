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
 * Throws a `RateFileFault` when a rate is too far from every rate that a currency can have, or from the nearest rate that
 * is known at most 31 days before it: a file with units per dollar in the place of dollars per unit is refused.
 */
export function refuseImplausible(rates: readonly FileRate[], known: RateTable): void {
  const before = new Map<string, FileRate>()
  for (const one of rates.toSorted((a, b) => a.day - b.day)) {
    refuse(one, before.get(one.currency), known)
    before.set(one.currency, one)
  }
}

function refuse(one: FileRate, earlier: FileRate | undefined, known: RateTable): void {
  const { line, day, currency, rate } = one
  const value = roughRate(rate)
  const says = `${currency} of ${toDate(day)} is ${writeRate(rate)} dollars`
  if (value > HIGHEST || value < LOWEST) throw atLine(line, `${says}, which no currency is worth`)
  const found = known.find(currency, day)
  const near = found && (!earlier || found.day > earlier.day) ? found : earlier
  if (!near || day - near.day > NEAR_DAYS) return
  const change = value / roughRate(near.rate)
  if (change > MAX_CHANGE || change < 1 / MAX_CHANGE)
    throw atLine(line, `${says}, but it was ${writeRate(near.rate)} on ${toDate(near.day)}; state dollars per unit`)
}
