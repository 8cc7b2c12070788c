import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid } from '../../base/errors'
import { addCounts, type CountedMeter, type DayCounts } from './meters'
import { daysOfMonth, type Month, monthOf, readMonth } from './month'
import { listRemoved, listUsed } from './queries'

/** Rows that a meter counts. */
export interface UsageSource {
  meter: CountedMeter
  /** How many there are now, by the UTC day in which `countUsage` counted them. */
  countDays(handle: Handle, projectId: string, days: readonly [first: number, last: number]): Promise<DayCounts>
}

declare module '../../base/state' {
  interface SliceHooks {
    usageSources: readonly UsageSource[]
  }
}

/** A day on which a meter and the rows differ. */
export interface UsageDifference {
  meter: CountedMeter
  day: number
  counted: number
  found: number
}

export interface Recount {
  period: Month
  meters: { meter: CountedMeter; counted: number; found: number }[]
  differences: UsageDifference[]
}

/**
 * Counts the rows behind the meters of a month again, with those that have been deleted since. The meters and the rows are
 * read in one state of the database.
 */
export async function recountUsage(ctx: Context, projectId: string, name?: string): Promise<Recount> {
  const period = name === undefined ? monthOf(ctx.clock.now()) : readMonth(name)
  if (!period) throw invalid('--month takes a month such as 2026-11')
  const days = daysOfMonth(period)
  return ctx.storage.readInThread(async (handle) => {
    const used = await listUsed(handle, projectId, days)
    const removed = await listRemoved(handle, projectId, days)
    const recount: Recount = { period, meters: [], differences: [] }
    for (const { meter, countDays } of ctx.hooks.usageSources ?? []) {
      const found = addCounts(await countDays(handle, projectId, days), removed.get(meter) ?? new Map())
      compare(recount, meter, used.get(meter) ?? new Map(), found)
    }
    return recount
  })
}

function compare(recount: Recount, meter: CountedMeter, counted: DayCounts, found: DayCounts): void {
  const sum = { meter, counted: 0, found: 0 }
  for (const day of [...new Set([...counted.keys(), ...found.keys()])].sort((a, b) => a - b)) {
    const of = { counted: counted.get(day) ?? 0, found: found.get(day) ?? 0 }
    sum.counted += of.counted
    sum.found += of.found
    if (of.counted !== of.found) recount.differences.push({ meter, day, ...of })
  }
  recount.meters.push(sum)
}
