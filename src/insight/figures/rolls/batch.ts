import { firstOfMonth, type LocalDays } from '../../../base/lib/local-days'
import { VALUE_NAMES } from '../model'
import type { EntryRow } from '../queries'
import { GROUPS, type GroupBy } from '../sums'
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

/** The sums of a few entries of any projects. */
export function sumsOf(rows: readonly EntryRow[], daysOf: (projectId: string) => LocalDays): RollSum[] {
  const sums = new Map<string, RollSum>()
  const calendars = new Map<string, SpanStarts>()
  for (const row of rows) {
    const calendar = calendars.get(row.projectId) ?? new SpanStarts(daysOf(row.projectId))
    calendars.set(row.projectId, calendar)
    const starts = calendar.of(row.at)
    for (const group of groupsOf(row)) {
      add(sums, group, DAY_LEVEL, starts.day, row)
      add(sums, group, MONTH_LEVEL, starts.month, row)
    }
  }
  return [...sums.values()].filter(({ values }) => values.some((value) => value !== 0))
}

function add(sums: Map<string, RollSum>, group: RollGroup, level: Level, start: number, row: EntryRow): void {
  const name = `${group.projectId} ${group.key} ${level} ${start} ${row.kind}`
  const known = sums.get(name) ?? { group, level, start, kind: row.kind, values: VALUE_NAMES.map(() => 0) }
  sums.set(name, known)
  for (const [index, value] of VALUE_NAMES.entries()) known.values[index] = (known.values[index] ?? 0) + row[value]
}

function groupsOf(row: EntryRow): RollGroup[] {
  const { projectId, environment } = row
  const groupOf = (dimension: string, names: readonly GroupBy[]): RollGroup => ({
    projectId,
    environment,
    dimension,
    key: JSON.stringify([environment, dimension, ...names.map((name) => row[name])]),
    values: Object.fromEntries(names.map((name) => [name, row[name]])),
  })
  return [groupOf('', []), ...GROUPS.map((name) => groupOf(name, [name])), groupOf(EVERY, GROUPS)]
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
