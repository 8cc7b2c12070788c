import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid } from '../../base/errors'
import { readLevels } from './levels'
import { addCounts, type CountedMeter, type DayCounts, type MeterUsage, totalOf } from './meters'
import { dailyOf, daysOfMonth, forecastOf, type Month, monthBefore, monthOf, readMonth, usageDay } from './month'
import { addRemoved, addUsed, listUsed } from './queries'

/**
 * Counts what this transaction makes, in the UTC day of `at`: the instant that a recount finds in the row. Nothing is
 * counted when the transaction is rolled back.
 */
export async function countUsage(
  tx: Tx,
  projectId: string,
  meter: CountedMeter,
  at: number,
  count: number,
): Promise<void> {
  if (count > 0) await addUsed(tx, { projectId, meter, day: usageDay(at), count })
}

/** Notes that counted rows are deleted by this transaction; `at` is the instant of each of them. */
export async function noteRemoved(
  tx: Tx,
  projectId: string,
  meter: CountedMeter,
  at: readonly number[],
): Promise<void> {
  const days = Map.groupBy(at, usageDay)
  // Every transaction takes the rows in one order, so that two of them never wait for each other.
  for (const day of [...days.keys()].sort((a, b) => a - b))
    await addRemoved(tx, { projectId, meter, day, count: days.get(day)?.length ?? 0 })
}

export interface Usage {
  period: Month
  meters: MeterUsage[]
}

/** What a project used in a UTC month; without one in the present month. A month to come is 400. */
export async function readUsage(ctx: Context, projectId: string, name?: string): Promise<Usage> {
  const now = ctx.clock.now()
  const period = name === undefined ? monthOf(now) : readMonth(name)
  if (!period || period.start > now) throw invalid('month must be a month that has begun, such as 2026-11')
  const limits = await limitsAt(ctx, projectId, Math.min(now, period.end - 1))
  const used = await listUsed(ctx, projectId, daysOfMonth(period))
  const before = await listUsed(ctx, projectId, daysOfMonth(monthBefore(period)))
  const meter = (shown: string, parts: readonly CountedMeter[]) =>
    countedMeter(shown, parts, { period, now, used, before, limits })
  const counted = [
    { ...meter('events', ['events', 'telemetry']), dropped: totalOf(used.get('droppedTelemetry') ?? new Map()) },
    meter('sqlQueries', ['sqlQueries']),
    meter('webhookDeliveries', ['webhookDeliveries']),
  ]
  return { period, meters: [...counted, ...(await readLevels(ctx, projectId, period))] }
}

type Limits = Readonly<Record<string, number | null>>

declare module '../../base/state' {
  interface SliceHooks {
    /** What the plan of a project included at an instant, by the name of the meter; null or absent = no limit. */
    planLimits: (ctx: Context, projectId: string, at: number) => Promise<Limits>
  }
}

const limitsAt = async (ctx: Context, projectId: string, at: number): Promise<Limits> =>
  Object.assign({}, ...(await Promise.all((ctx.hooks.planLimits ?? []).map((limits) => limits(ctx, projectId, at)))))

/** What a project used in a month of the meters that a plan limits. */
export async function readLimitedUse(handle: Handle, projectId: string, month: Month): Promise<Record<string, number>> {
  const used = await listUsed(handle, projectId, daysOfMonth(month))
  const of = (meter: CountedMeter) => totalOf(used.get(meter) ?? new Map())
  return { events: of('events') + of('telemetry'), sqlQueries: of('sqlQueries') }
}

interface Counted {
  period: Month
  now: number
  used: ReadonlyMap<CountedMeter, DayCounts>
  before: ReadonlyMap<CountedMeter, DayCounts>
  limits: Limits
}

function countedMeter(
  name: string,
  parts: readonly CountedMeter[],
  { period, now, used, before, limits }: Counted,
): MeterUsage {
  const of = (all: Counted['used'], part: CountedMeter): DayCounts => all.get(part) ?? new Map()
  const counts = addCounts(...parts.map((part) => of(used, part)))
  return {
    name,
    kind: 'COUNT',
    used: totalOf(counts),
    previous: totalOf(addCounts(...parts.map((part) => of(before, part)))),
    limit: limits[name] ?? null,
    forecast: forecastOf(period, counts, now),
    daily: dailyOf(period, counts),
    parts: parts.length < 2 ? [] : parts.map((part) => ({ name: part, used: totalOf(of(used, part)) })),
    dropped: 0,
  }
}
