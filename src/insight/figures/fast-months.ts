import { DAY } from '../../base/lib/clock'
import { type DayNumber, firstOfMonth, type LocalDays } from '../../base/lib/local-days'

/** A calendar that keeps the beginnings of its days, for the months of very many instants. The answers are the same. */
export function fastMonths(days: LocalDays): LocalDays {
  const known = new Map<DayNumber, KnownDay>()
  const dayAt = (day: DayNumber): KnownDay => {
    const found = known.get(day) ?? describe(days, day)
    known.set(day, found)
    return found
  }
  return {
    ...days,
    plusMonths: (at, months) => {
      const day = days.dayOf(at)
      const from = dayAt(day)
      const to = from.later[months] ?? dayAt(plusMonths(day, months))
      from.later[months] = to
      return from.isPlain && to.isPlain ? to.start + at - from.start : days.plusMonths(at, months)
    },
  }
}

interface KnownDay {
  start: number
  isPlain: boolean
  /** The days so many months later. */
  later: KnownDay[]
}

/** On a plain day the clocks show from midnight on how much of it is over. */
function describe(days: LocalDays, day: DayNumber): KnownDay {
  const [start, next] = [days.startOf(day), days.startOf(day + 1)]
  const isPlain = next - start === DAY && days.dayOf(start) === day && days.dayOf(start - 1) === day - 1
  return { start, isPlain, later: [] }
}

function plusMonths(day: DayNumber, months: number): DayNumber {
  const first = firstOfMonth(day, months)
  const length = firstOfMonth(day, months + 1) - first
  return first + Math.min(day - firstOfMonth(day, 0), length - 1)
}
