import { DAY } from '../../base/lib/clock'
import { divideHalfAway } from '../../core/money/money'

/** Months that one paid period is long, as a fraction; null when its length is not one of wire 5.11. */
export interface Months {
  over: bigint
  under: bigint
}

const UNIT: Record<string, Months> = {
  D: { over: 12n, under: 365n },
  W: { over: 12n, under: 52n },
  M: { over: 1n, under: 1n },
  Y: { over: 12n, under: 1n },
}

/** The ISO 8601 period of a product (`P1W`, `P3M`, `P1Y`), else the length between two instants by days. */
export function monthsOf(period: string | null, start: number, end: number | null): Months | null {
  const [, count, unit] = /^P([1-9]\d{0,3})([DWMY])$/.exec(period ?? '') ?? []
  const of = UNIT[unit ?? '']
  if (count !== undefined && of) return { over: of.over * BigInt(count), under: of.under }
  return end === null ? null : byDays((end - start) / DAY)
}

/** Inclusive ranges of wire 5.11, in whole days. */
const RANGES: readonly [from: number, to: number, period: string][] = [
  [5, 9, 'P1W'],
  [26, 32, 'P1M'],
  [58, 63, 'P2M'],
  [88, 94, 'P3M'],
  [178, 187, 'P6M'],
  [360, 370, 'P1Y'],
]

function byDays(length: number): Months | null {
  const days = Math.round(length)
  const range = RANGES.find(([from, to]) => days >= from && days <= to)
  return range ? monthsOf(range[2], 0, null) : null
}

/** Micros of a month, of what was paid for a period; rounded half away from zero. */
export const monthlyMicros = (micros: number, { over, under }: Months): number =>
  over === under ? micros : Number(divideHalfAway(BigInt(micros) * under, over))

/** Products below it, doubled and divided as numbers, are exact enough to be rounded. */
const EXACT = 2 ** 49

/** A part of an amount in millionths, rounded half away from zero. */
export function millionthsOf(micros: number, millionths: number): number {
  const product = Math.abs(micros * millionths)
  if (product >= EXACT) return Number(divideHalfAway(BigInt(micros) * BigInt(millionths), 1_000_000n))
  const rounded = Math.floor((2 * product + 1_000_000) / 2_000_000)
  return micros < 0 && rounded !== 0 ? -rounded : rounded
}
