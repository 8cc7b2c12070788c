import { type History, isoOf } from './history'
import * as lines from './line-metrics'
import type { Metric, Reckoning, Series } from './metric'
import * as states from './state-metrics'
import { type Asked, cellsOf, groupsOf, type World, worldOf } from './world'

/** All metrics by name. */
export const METRICS = { ...lines, ...states }

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
