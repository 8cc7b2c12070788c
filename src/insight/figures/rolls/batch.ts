import { firstOfMonth, type LocalDays } from '../../../base/lib/local-days'
import { VALUE_NAMES } from '../model'
import type { EntryRow } from '../queries'
import { GROUPS, type GroupBy } from '../sums'
import type { SummedEntry } from './entry-sums'
import { DAY_LEVEL, dayAt, type Level, MONTH_LEVEL } from './spans'

/** The dimension of the sums for one value of each dimension. */
export const EVERY = '*'

export type GroupValues = Pick<EntryRow, GroupBy>

/** What entries are summed for, as `figure_groups` has it. */
export interface RollGroup {
  projectId: string
  environment: EntryRow['environment']
  dimension: string
  key: string
  values: Partial<GroupValues>
}

/** The sum of entries of a group, a span and a kind. */
export interface RollSum {
  group: RollGroup
  level: Level
  start: number
  kind: EntryRow['kind']
  /** In the order of `VALUE_NAMES`. */
  values: number[]
}

/** The sums for every group and span of entries of any projects. */
export function sumsOf(rows: readonly SummedEntry[], daysOf: (projectId: string) => LocalDays): RollSum[] {
  const groups = new Groups()
  const calendars = new Map<string, SpanStarts>()
  for (const row of rows) {
    const calendar = calendars.get(row.projectId) ?? new SpanStarts(daysOf(row.projectId))
    calendars.set(row.projectId, calendar)
    const { day, month } = calendar.of(row.at)
    const amounts = amountsOf(row)
    for (const one of groups.of(row)) {
      add(one, DAY_LEVEL, day, row.kind, amounts)
      add(one, MONTH_LEVEL, month, row.kind, amounts)
    }
  }
  return groups.sums().filter(({ values }) => values.some((value) => value !== 0))
}

type Amount = readonly [index: number, value: number]

/** The values that are not zero: most are. */
const amountsOf = (row: SummedEntry): Amount[] =>
  VALUE_NAMES.flatMap((name, index): Amount[] => (row[name] === 0 ? [] : [[index, row[name]]]))

interface GroupSums {
  group: RollGroup
  bySpan: Map<string, RollSum>
}

function add(
  { group, bySpan }: GroupSums,
  level: Level,
  start: number,
  kind: EntryRow['kind'],
  amounts: readonly Amount[],
): void {
  const name = `${kind}${level}${start}`
  let sum = bySpan.get(name)
  if (!sum) {
    sum = { group, level, start, kind, values: VALUE_NAMES.map(() => 0) }
    bySpan.set(name, sum)
  }
  for (const [index, value] of amounts) sum.values[index] = (sum.values[index] ?? 0) + value
}

/** Every group that an entry counts in. */
class Groups {
  private readonly byValues = new Map<string, GroupSums[]>()
  private readonly byKey = new Map<string, GroupSums>()

  of(row: SummedEntry): GroupSums[] {
    const values = JSON.stringify([row.projectId, row.environment, ...GROUPS.map((name) => row[name])])
    const known = this.byValues.get(values) ?? this.make(row)
    this.byValues.set(values, known)
    return known
  }

  sums(): RollSum[] {
    return [...this.byKey.values()].flatMap(({ bySpan }) => [...bySpan.values()])
  }

  private make(row: SummedEntry): GroupSums[] {
    const { projectId, environment } = row
    const groupOf = (dimension: string, names: readonly GroupBy[]): GroupSums => {
      const key = JSON.stringify([environment, dimension, ...names.map((name) => row[name])])
      const values = Object.fromEntries(names.map((name) => [name, row[name]]))
      const group = { projectId, environment, dimension, key, values }
      const made = this.byKey.get(`${projectId} ${key}`) ?? { group, bySpan: new Map() }
      this.byKey.set(`${projectId} ${key}`, made)
      return made
    }
    return [groupOf('', []), ...GROUPS.map((name) => groupOf(name, [name])), groupOf(EVERY, GROUPS)]
  }
}

interface Day {
  start: number
  end: number
  /** First instant of its month. */
  month: number
}

const MAX_DAYS = 64

/** First instants of the day and the month of instants; the days of late are kept. */
class SpanStarts {
  private readonly recent: Day[] = []

  constructor(private readonly days: LocalDays) {}

  of(at: number): { day: number; month: number } {
    const { start, month } = this.recent.find(({ start, end }) => at >= start && at < end) ?? this.add(at)
    return { day: start, month }
  }

  private add(at: number): Day {
    const { days, recent } = this
    const day = dayAt(at, days)
    const added = {
      start: days.startOf(day),
      end: days.startOf(day + 1),
      month: days.startOf(firstOfMonth(day, 0)),
    }
    recent.push(added)
    if (recent.length > MAX_DAYS) recent.shift()
    return added
  }
}
