import * as cohorts from './cohort-metrics'
import { type History, isoOf } from './history'
import * as lines from './line-metrics'
import type { Metric, Reckoning, Series } from './metric'
import * as phases from './phase-metrics'
import * as states from './state-metrics'
import { type Asked, cellsOf, groupsOf, type World, worldOf } from './world'

// The figures of a project, reckoned a second time from the words of its stores by the definitions of wire
// specification 5.11. Nothing here comes from the product, so that a mistake there is not made again here. Where the
// definitions leave something open, this is what the oracle does:
//
// - An instant at a border belongs to the cell that begins there, so a figure "at the end" is the one a millisecond
//   earlier, and a movement from one cell to the next is counted once.
// - A transaction has one price: the newest one that any report told. A line without an amount is no line. A line
//   without a rate is left out of everything, also of the count of payers and of positive lines.
// - A paid subscription is ACTIVE or in GRACE_PERIOD, on no trial, not shared by a family and not granted. MRR is 0
//   without a price; with a price and no rate or no period it is left out, and its purchase is counted.
// - The price is the charge's, unless the store told another one of the next period of the same product. It has the rate
//   of the day since which it is the same, whatever was charged in between. What was never charged has no price.
// - The period belongs to the product that was charged. Without a name it comes from whole days (rounded) between the
//   dates of the transaction as told, without extensions and early ends.
// - Leaving is counted each time that it happens, also twice within a cell.
// - Shares are plain quotients, null where nothing is divided by. Averages are rounded to whole micros.
// - A commission is by the date of the charge. Its first year is one of the UTC calendar.
// - A cohort has share n as soon as all of its purchases have reached their day of month n.
// - A group of products has the lines that were charged for the product, and the purchases whose present product it is.

/** All metrics by name. */
export const METRICS = { ...lines, ...states, ...phases, ...cohorts }

export type MetricName = keyof typeof METRICS

/** Reckons one metric. Several of one question are quicker from the same world. */
export const figure = (history: History, asked: Asked, name: MetricName): Reckoning =>
  reckon(worldOf(history, asked), METRICS[name])

/** Reckons all metrics. */
export function allFigures(history: History, asked: Asked): Record<MetricName, Reckoning> {
  const world = worldOf(history, asked)
  const names = Object.keys(METRICS) as MetricName[]
  return Object.fromEntries(names.map((name) => [name, reckon(world, METRICS[name])])) as Record<MetricName, Reckoning>
}

export const customers = (history: History, asked: Asked): Reckoning => figure(history, asked, 'customers')
export const arr = (history: History, asked: Asked): Reckoning => figure(history, asked, 'arr')
export const activeMovement = (history: History, asked: Asked): Reckoning => figure(history, asked, 'activeMovement')
export const trialMovement = (history: History, asked: Asked): Reckoning => figure(history, asked, 'trialMovement')
export const statuses = (history: History, asked: Asked): Reckoning => figure(history, asked, 'statuses')
export const revenue = (history: History, asked: Asked): Reckoning => figure(history, asked, 'revenue')
export const proceeds = (history: History, asked: Asked): Reckoning => figure(history, asked, 'proceeds')
export const refunds = (history: History, asked: Asked): Reckoning => figure(history, asked, 'refunds')
export const ltv = (history: History, asked: Asked): Reckoning => figure(history, asked, 'ltv')
export const perUser = (history: History, asked: Asked): Reckoning => figure(history, asked, 'perUser')
export const mrr = (history: History, asked: Asked): Reckoning => figure(history, asked, 'mrr')
export const mrrMovement = (history: History, asked: Asked): Reckoning => figure(history, asked, 'mrrMovement')
export const active = (history: History, asked: Asked): Reckoning => figure(history, asked, 'active')
export const churn = (history: History, asked: Asked): Reckoning => figure(history, asked, 'churn')
export const trials = (history: History, asked: Asked): Reckoning => figure(history, asked, 'trials')
export const retention = (history: History, asked: Asked): Reckoning => figure(history, asked, 'retention')

function reckon(world: World, { values, unconverted }: Metric): Reckoning {
  const { from, to, groupBy } = world.asked
  const window = { start: from, end: to }
  const seriesOf = (part: World): Series => ({
    cells: cellsOf(part).map((cell) => ({ start: isoOf(cell.start), values: values(part, cell) })),
    totals: values(part, window),
    unconverted: unconverted(part, window),
  })
  if (!groupBy) return seriesOf(world)
  const groups = groupsOf(world, groupBy).map((group) => ({ key: group.key, ...seriesOf(group.world) }))
  return { ...seriesOf(world), groups }
}
