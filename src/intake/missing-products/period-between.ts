import { DAY } from '../../base/lib/clock'
import { addPeriod, isPeriod } from '../../base/lib/period'

/** The periods that stores sell. */
const SOLD = ['P3D', 'P1W', 'P2W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y', 'P2Y'] as const

/** Stores and exports end a period some hours early or late. */
const TOLERANCE = DAY

/** The period of a store that leads from one instant to another, within a day; null for none. */
export function periodBetween(from: number, to: number): string | null {
  const near = SOLD.map((period) => ({ period, off: Math.abs(addPeriod(from, period) - to) }))
  const [nearest] = near.toSorted((a, b) => a.off - b.off)
  return nearest && nearest.off <= TOLERANCE ? nearest.period : null
}

/** Whether a text is a period that is longer than none. */
export const isRealPeriod = (text: string | undefined): text is string =>
  text !== undefined && isPeriod(text) && addPeriod(0, text) > 0
