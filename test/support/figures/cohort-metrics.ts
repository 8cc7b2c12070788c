import type { Span } from './calendar'
import { isWithin, type Metric, sum, text } from './metric'
import { renewals } from './phase-metrics'
import { churn } from './state-metrics'
import { type Chain, cut, type World } from './world'

// Subscriptions by their first charge above zero, and what they bring at each age.

const DAY = 86_400_000
const today = ({ asked }: World): number => Math.min(asked.now, asked.knownAt ? asked.knownAt - 1 : asked.now)

const begunIn = (world: World, span: Span): Chain[] =>
  world.chains.filter(({ purchase, firstPaidAt }) => {
    return purchase.productType === 'SUBSCRIPTION' && firstPaidAt !== null && isWithin(span, firstPaidAt)
  })

const ageOf = (world: World, { firstPaidAt }: Chain, months: number): number =>
  world.calendar.plusMonths(firstPaidAt ?? 0, months)

const netBetween = ({ lines }: Chain, from: number, to: number): bigint =>
  sum(lines.filter(({ at }) => from <= at && at < to).map(({ usd }) => usd ?? 0n))

/** What the first 1, 2, 3 ... months of all brought. */
export const revenueCohorts: Metric = {
  values: (world, span) => {
    const cohort = begunIn(world, span)
    const values: Record<string, string | null> = {}
    for (let months = 1; months <= 36; months++) {
      const isReached = cohort.length > 0 && cohort.every((chain) => ageOf(world, chain, months) <= today(world))
      const net = cohort.map((chain) => netBetween(chain, Number.NEGATIVE_INFINITY, ageOf(world, chain, months)))
      values[`m${months}`] = isReached ? text(sum(net)) : null
    }
    return values
  },
  unconverted: () => 0,
}

/** Mean cumulative net of twelve months of age, with its interval. */
export const predicted: Metric = {
  values: (world, span) => {
    const own = begunIn(world, span)
    const all = begunIn(world, { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY })
    const nothing = { value: null, low: null, high: null }
    if (own.length === 0) return nothing
    let value = 0
    const parts = { own: new Map<Chain, number>(), all: new Map<Chain, number>() }
    for (let age = 0; age < 12; age++) {
      const hasCompleted = (chain: Chain) => ageOf(world, chain, age + 1) <= today(world)
      const side = own.every(hasCompleted) ? 'own' : 'all'
      const observed = side === 'own' ? own : all.filter(hasCompleted)
      if (observed.length === 0) return nothing
      const nets = observed.map((chain) => {
        const from = age === 0 ? Number.NEGATIVE_INFINITY : ageOf(world, chain, age)
        return Number(netBetween(chain, from, ageOf(world, chain, age + 1)))
      })
      const mean = nets.reduce((total, net) => total + net, 0) / nets.length
      value += mean
      for (const [index, chain] of observed.entries()) {
        const before = parts[side].get(chain) ?? 0
        parts[side].set(chain, before + ((nets[index] ?? 0) - mean) / nets.length)
      }
    }
    const squares = [...parts.own.values(), ...parts.all.values()].reduce((total, one) => total + one * one, 0)
    const margin = 1.959964 * Math.sqrt(squares)
    return { value, low: value - margin, high: value + margin }
  },
  unconverted: () => 0,
}

/** What is due, and of it the share that renewed in the last 365 days. */
export const forecast: Metric = {
  values: (world, span) => {
    const end = today(world)
    const year = { start: end - 365 * DAY, end }
    const due = Number(renewals.values(world, span).micros)
    const renewed = Number(renewals.values(world, year).renewals)
    const left = Number(churn.values(world, cut(world, year)).churned)
    return { due, expected: renewed + left === 0 ? null : Math.round((due * renewed) / (renewed + left)) }
  },
  unconverted: () => 0,
}
