import { quoteName, type RawValue, type TableReader } from '../../base/db/dump'
import { conditionOf, type TablePlan } from './plan'

/** The least and the greatest serial number of a project's rows in a table; null when it has none there. */
export type NumberRange = readonly [least: number, greatest: number] | null

export type NumberRanges = Readonly<Record<string, NumberRange>>

export async function readRanges(
  reader: TableReader,
  plans: readonly TablePlan[],
  projectId: string,
): Promise<NumberRanges> {
  const ranges: Record<string, NumberRange> = {}
  for (const plan of plans) {
    const { serial } = plan.rows
    if (serial === undefined) continue
    const column = quoteName(serial)
    const query = `select min(${column}), max(${column}) from ${quoteName(plan.table)}`
    const [[least, greatest] = []] = await reader.rows(`${query} where ${conditionOf(plans, plan, projectId)}`)
    ranges[plan.table] = least == null ? null : [Number(least), Number(greatest)]
  }
  return ranges
}

/** Other processes may take numbers between the moment at which the last one is read and the reservation. */
const GAP = 1000

/**
 * The ranges that the same rows get in another database, behind the numbers that it has given. Where none of them is
 * given there, the rows keep their numbers.
 */
export function rangesBehind(ranges: NumberRanges, given: Readonly<Record<string, number>>): NumberRanges {
  const behind = Object.entries(ranges).map(([table, range]): [string, NumberRange] => {
    const last = given[table] ?? 0
    if (range === null || range[0] > last + GAP) return [table, range]
    const shift = last === 0 ? 0 : last + GAP + 1 - range[0]
    return [table, [range[0] + shift, range[1] + shift]]
  })
  return Object.fromEntries(behind)
}

/** Changes the numbers in a column from one set of ranges to another. */
export type Renumber = (value: RawValue) => RawValue

/** By column: how its numbers change. */
export function renumbering({ table, rows }: TablePlan, from: NumberRanges, to: NumberRanges): Map<string, Renumber> {
  const changes = new Map<string, Renumber>()
  const { serial, numbers = {} } = rows
  if (serial !== undefined) changes.set(serial, shifted(endOf(from, table), endOf(to, table)))
  for (const [column, { table: of, times = 1, isMark }] of Object.entries(numbers)) {
    const [before, after] = [endOf(from, of), endOf(to, of)]
    changes.set(column, isMark ? marked(before, after) : shifted(before * times, after * times))
  }
  return changes
}

const endOf = (ranges: NumberRanges, table: string): number => ranges[table]?.[1] ?? 0

const shifted =
  (before: number, after: number): Renumber =>
  (value) =>
    value === null ? null : Number(value) - before + after

/** What lies beyond the project's own rows comes to lie at their end. */
const marked =
  (before: number, after: number): Renumber =>
  (value) =>
    value === null ? null : Math.min(Number(value) - before, 0) + after
