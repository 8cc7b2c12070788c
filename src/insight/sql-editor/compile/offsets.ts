import { DAY } from '../../../base/lib/clock'
import { localDays } from '../../../base/lib/local-days'

/** What the clocks of a zone are ahead of UTC by, until an instant; the last one has no end. */
export interface Offset {
  until: number | null
  ms: number
}

/** No store sold anything before, and the rules of clocks are not known for longer. Outside, the nearest offset holds. */
const [FIRST, LAST] = [Date.UTC(2000, 0, 1), Date.UTC(2050, 0, 1)]

/** Clocks stay as they are for longer than this; the shortest time is that of Ramadan in Morocco. */
const STEP = 14 * DAY

/** The offsets of a zone one after the other. The same numbers go to every database, so all answer the same. */
export function offsetsOf(timezone: string): Offset[] {
  const { wallOf } = localDays(timezone)
  const offsetAt = (at: number): number => wallOf(at) - at
  const found: Offset[] = []
  for (let at = FIRST; at < LAST; at += STEP) {
    const [before, after] = [offsetAt(at), offsetAt(at + STEP)]
    if (before !== after) found.push({ until: changeBetween(at, at + STEP, offsetAt), ms: before })
  }
  return [...found, { until: null, ms: offsetAt(LAST) }]
}

/** The first instant, to the second, at which the offset is another one. */
function changeBetween(from: number, to: number, offsetAt: (at: number) => number): number {
  const before = offsetAt(from)
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}
