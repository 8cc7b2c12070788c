import type { Span } from './calendar'
import { type History, isoOf } from './history'
import type { Line } from './lines'
import { decimal, rounded, times } from './money'
import { comparePeriods } from './transactions'
import { type Asked, type Chain, cellsOf, groupsOf, type Moment, momentAt, type World, worldOf } from './world'

/** A count or a share as a number, money as the digits of a whole number of micros, null = there is none. */
export type Value = number | string | null | number[]
export type Values = Record<string, Value>

export interface Series {
  cells: { start: string; values: Values }[]
  /** The same figures of the whole window. */
  totals: Values
  /** What was left out because it has no rate or no period. */
  unconverted: number
}

export interface Reckoning extends Series {
  groups?: ({ key: string | null } & Series)[]
}

interface Metric {
  /** The figures of one cell. */
  values: (world: World, span: Span) => Values
  unconverted: (world: World, window: Span) => number
}

const reckoner =
  ({ values, unconverted }: Metric) =>
  (history: History, asked: Asked): Reckoning => {
    const world = worldOf(history, asked)
    const window = { start: asked.from, end: asked.to }
    const seriesOf = (part: World): Series => ({
      cells: cellsOf(part).map((cell) => ({ start: isoOf(cell.start), values: values(part, cell) })),
      totals: values(part, window),
      unconverted: unconverted(part, window),
    })
    const groups = asked.groupBy && groupsOf(world, asked.groupBy).map((group) => ({ key: group.key, ...seriesOf(group.world) }))
    return { ...seriesOf(world), ...(groups && { groups }) }
  }

const isWithin = ({ start, end }: Span, at: number): boolean => start <= at && at < end

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const text = (amount: bigint): string => String(amount)

/** Amount divided by a number of people, to the nearest micro; null = nobody. */
const perHead = (amount: bigint, heads: number): string | null =>
  heads === 0 ? null : text(rounded({ above: amount, below: BigInt(heads) }))

// Money lines

const linesIn = ({ lines }: World, span: Span): Line[] => lines.filter(({ at }) => isWithin(span, at))

const netOf = (lines: readonly Line[]): bigint => sum(lines.map(({ usd }) => usd ?? 0n))

const isPositive = ({ kind, usd }: Line): boolean => kind === 'CHARGE' && usd !== null && usd > 0n

const countUnconverted = (lines: readonly Line[]): number => lines.filter(({ usd }) => usd === null).length

const unconvertedLines = (world: World, window: Span): number => countUnconverted(linesIn(world, window))

/** Charges, what returned of them, and the difference, each on the day of its line. */
export const revenue = reckoner({
  values: (world, span) => {
    const lines = linesIn(world, span)
    const charges = lines.filter(({ kind }) => kind === 'CHARGE')
    const returns = lines.filter(({ kind }) => kind !== 'CHARGE')
    return { gross: text(netOf(charges)), refunds: text(-netOf(returns)), net: text(netOf(lines)) }
  },
  unconverted: unconvertedLines,
})

/** Net minus what the stores keep. */
export const proceeds = reckoner({
  values: (world, span) => {
    const lines = linesIn(world, span)
    return { proceeds: text(netOf(lines) - sum(lines.map((line) => commissionOf(world, line)))) }
  },
  unconverted: unconvertedLines,
})

/** What the store keeps of a line: the rounded share of a charge; of returns, the share of all returns so far. */
function commissionOf(world: World, line: Line): bigint {
  if (line.usd === null) return 0n
  const rate = decimal(commissionRateOf(world, line))
  if (line.kind === 'CHARGE') return times(line.usd, rate)
  return times(line.returned.before, rate) - times(line.returned.after, rate)
}

function commissionRateOf({ asked, chains }: World, { purchase, chargedAt }: Line): string {
  const given = asked.commissionRates?.[purchase.store]
  if (given !== undefined) return given
  if (purchase.store !== 'IOS_STORE' && purchase.store !== 'ANDROID_STORE') return '0'
  const firstPaidAt = chains.find((chain) => chain.purchase === purchase)?.firstPaidAt ?? chargedAt
  return chargedAt < yearAfter(firstPaidAt) ? '0.3' : '0.15'
}

/** The same UTC day and time of the next year; 29 February becomes 28 February. */
function yearAfter(instant: number): number {
  const date = new Date(instant)
  const isLeapDay = date.getUTCMonth() === 1 && date.getUTCDate() === 29
  return date.setUTCFullYear(date.getUTCFullYear() + 1, date.getUTCMonth(), isLeapDay ? 28 : date.getUTCDate())
}

/** Share of the charges of the cell of which something is returned. */
export const refunds = reckoner({
  values: (world, span) => {
    const charges = linesIn(world, span).filter(isPositive)
    return { rate: share(charges.filter((charge) => isReturned(world, charge)).length, charges.length) }
  },
  unconverted: (world, window) => countUnconverted(linesIn(world, window).filter(({ kind }) => kind === 'CHARGE')),
})

function isReturned({ lines }: World, { purchase, transactionId }: Line): boolean {
  const own = lines.filter((line) => line.purchase === purchase && line.transactionId === transactionId)
  return (own.filter(({ kind }) => kind !== 'CHARGE').at(-1)?.returned.after ?? 0n) > 0n
}

/** Lifetime net of the people who paid something in the cell. */
export const ltv = reckoner({
  values: (world, span) => {
    const nets = payersIn(world, span)
      .map((payer) => netOf(world.lines.filter(({ purchase }) => purchase.subscriberId === payer)))
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const count = nets.length
    const [low = 0n, high = 0n] = [nets[Math.ceil(count / 2) - 1], nets[Math.floor(count / 2)]]
    return {
      mean: perHead(sum(nets), count),
      median: count === 0 ? null : text(rounded({ above: low + high, below: 2n })),
      p90: count === 0 ? null : text(nets[Math.ceil((count * 9) / 10) - 1] ?? 0n),
    }
  },
  unconverted: ({ lines }) => countUnconverted(lines),
})

const payersIn = (world: World, span: Span): string[] => [
  ...new Set(linesIn(world, span).filter(isPositive).map(({ purchase }) => purchase.subscriberId)),
]

/** Net of the cell for each person who was a paying subscriber in it, and for each who paid in it. */
export const perUser = reckoner({
  values: (world, span) => {
    const net = netOf(linesIn(world, span))
    const active = world.chains.filter((chain) => momentsDuring(world, chain, span).some(({ isPaid }) => isPaid))
    const subscribers = new Set(active.map(({ purchase }) => purchase.subscriberId))
    return { arpu: perHead(net, subscribers.size), arppu: perHead(net, payersIn(world, span).length) }
  },
  unconverted: unconvertedLines,
})

// States

/** The clock stops at the horizon. */
function cut({ asked }: World, { start, end }: Span): Span {
  const horizon = asked.horizon ?? Number.POSITIVE_INFINITY
  return { start: Math.min(start, horizon), end: Math.min(end, horizon) }
}

/** A change from one moment to the next. */
interface Step {
  chain: Chain
  before: Moment | undefined
  after: Moment
}

const stepsIn = (world: World, span: Span): Step[] =>
  world.chains.flatMap((chain) =>
    chain.moments.flatMap((after, index) =>
      isWithin(cut(world, span), after.at) ? [{ chain, before: chain.moments[index - 1], after }] : [],
    ),
  )

/** The moment just before an instant, of each purchase. Changes at the instant itself come after it. */
const momentsBefore = ({ chains }: World, at: number): Moment[] =>
  chains.flatMap((chain) => momentAt(chain, at - 1) ?? [])

/** What a purchase was in during a span: its moment at the start, and those that began later. */
function momentsDuring(world: World, chain: Chain, span: Span): Moment[] {
  const { start, end } = cut(world, span)
  const first = start < end ? momentAt(chain, start) : undefined
  return [...(first ? [first] : []), ...chain.moments.filter(({ at }) => start < at && at < end)]
}

const mrrOf = (moments: readonly Moment[]): bigint => sum(moments.map(({ mrr }) => mrr))

/** Monthly recurring revenue at the end of the cell. */
export const mrr = reckoner({
  values: (world, span) => ({ mrr: text(mrrOf(momentsBefore(world, cut(world, span).end))) }),
  unconverted: (world) => {
    const ends = cellsOf(world).map((cell) => cut(world, cell).end)
    return world.chains.filter((chain) => ends.some((end) => momentAt(chain, end - 1)?.isLeftOut)).length
  },
})

/** The changes of the monthly recurring revenue, at their instants. */
export const mrrMovement = reckoner({
  values: (world, span) => {
    const { start, end } = cut(world, span)
    const steps = stepsIn(world, span)
    const total = (part: string) => text(sum(steps.filter((step) => partOf(step) === part).map(sizeOf)))
    return {
      start: text(mrrOf(momentsBefore(world, start))),
      new: total('new'),
      reactivation: total('reactivation'),
      expansion: total('expansion'),
      contraction: total('contraction'),
      churn: total('churn'),
      end: text(mrrOf(momentsBefore(world, end))),
    }
  },
  unconverted: (world, span) => {
    const { start } = cut(world, span)
    const isLeftOutIn = (chain: Chain) =>
      [momentAt(chain, start - 1), ...momentsDuring(world, chain, span)].some((moment) => moment?.isLeftOut)
    return world.chains.filter(isLeftOutIn).length
  },
})

function partOf({ chain, before, after }: Step): string {
  const [from, to] = [before?.mrr ?? 0n, after.mrr]
  if (from === to) return 'same'
  if (from === 0n) return chain.moments.some(({ at, mrr }) => at < after.at && mrr > 0n) ? 'reactivation' : 'new'
  if (to === 0n) return 'churn'
  return to > from ? 'expansion' : 'contraction'
}

function sizeOf({ before, after }: Step): bigint {
  const change = after.mrr - (before?.mrr ?? 0n)
  return change < 0n ? -change : change
}

const isOnTrial = ({ state }: Moment): boolean => state?.status === 'TRIAL'

/** Paid subscriptions and trials at the end of the cell. */
export const active = reckoner({
  values: (world, span) => {
    const moments = momentsBefore(world, cut(world, span).end)
    return { active: moments.filter(({ isPaid }) => isPaid).length, trials: moments.filter(isOnTrial).length }
  },
  unconverted: () => 0,
})

/** Subscriptions that were no longer paid, each time that it happened, by those that were paid at the start. */
export const churn = reckoner({
  values: (world, span) => {
    const start = momentsBefore(world, cut(world, span).start).filter(({ isPaid }) => isPaid).length
    const churned = stepsIn(world, span).filter(({ before, after }) => before?.isPaid && !after.isPaid).length
    return { start, churned, rate: share(churned, start) }
  },
  unconverted: () => 0,
})

/** Trials that began in the cell, and what became of them up to now. */
export const trials = reckoner({
  values: (world, span) => {
    const started = world.chains.flatMap((chain) => trialsOf(world, chain, span))
    const converted = started.filter(({ isConverted }) => isConverted).length
    return {
      starts: started.length,
      converted,
      pending: started.filter(({ isPending }) => isPending).length,
      conversion: share(converted, started.length),
    }
  },
  unconverted: () => 0,
})

function trialsOf(world: World, chain: Chain, span: Span): { isConverted: boolean; isPending: boolean }[] {
  if (chain.purchase.productType !== 'SUBSCRIPTION') return []
  const begun = chain.transactions.filter(({ part }) => {
    const isGiven = part.ownershipType === 'FAMILY_SHARED' || part.reason === 'GRANT'
    return part.isTrial && !isGiven && isWithin(span, part.purchaseDate)
  })
  const state = momentAt(chain, today(world))?.state
  const isOpen = state && ['TRIAL', 'GRACE_PERIOD', 'BILLING_RETRY'].includes(state.status)
  return begun.map(({ part }) => {
    const isConverted = chain.transactions.some((one) => !one.part.isTrial && comparePeriods(one.part, part) > 0)
    const isCurrent = state?.current.transactionId === part.transactionId
    return { isConverted, isPending: !isConverted && isCurrent && isOpen === true }
  })
}

/** The last instant about which something can be said: now, or the instant up to which things are known. */
const today = ({ asked }: World): number => Math.min(asked.now, asked.knownAt ?? asked.now)

/** Of the subscriptions first paid in the cell, the share that is still paid after 0, 1, 2 ... months. */
export const retention = reckoner({
  values: (world, span) => {
    const cohort = world.chains.filter(({ purchase, firstPaidAt }) => {
      return purchase.productType === 'SUBSCRIPTION' && firstPaidAt !== null && isWithin(span, firstPaidAt)
    })
    const shares: number[] = []
    for (let months = 0; cohort.length > 0; months++) {
      const after = cohort.map((chain) => ({ chain, at: world.calendar.plusMonths(chain.firstPaidAt ?? 0, months) }))
      if (after.some(({ at }) => at > today(world))) break
      shares.push(after.filter(({ chain, at }) => momentAt(chain, at)?.isPaid).length / cohort.length)
    }
    return { size: cohort.length, shares }
  },
  unconverted: () => 0,
})
