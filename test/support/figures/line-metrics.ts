import type { Span } from './calendar'
import type { Line } from './lines'
import { isWithin, type Metric, perHead, share, sum, text } from './metric'
import { decimal, rounded, times } from './money'
import { momentsDuring, type World } from './world'

const linesIn = ({ lines }: World, span: Span): Line[] => lines.filter(({ at }) => isWithin(span, at))

const netOf = (lines: readonly Line[]): bigint => sum(lines.map(({ usd }) => usd ?? 0n))

const isPositive = ({ kind, usd }: Line): boolean => kind === 'CHARGE' && usd !== null && usd > 0n

const countUnconverted = (lines: readonly Line[]): number => lines.filter(({ usd }) => usd === null).length

const unconvertedLines = (world: World, window: Span): number => countUnconverted(linesIn(world, window))

/** Charges, what returned of them, and the difference, each on the day of its line. */
export const revenue: Metric = {
  values: (world, span) => {
    const lines = linesIn(world, span)
    const charges = lines.filter(({ kind }) => kind === 'CHARGE')
    const returns = lines.filter(({ kind }) => kind !== 'CHARGE')
    return { gross: text(netOf(charges)), refunds: text(-netOf(returns)), net: text(netOf(lines)) }
  },
  unconverted: unconvertedLines,
}

/** Net minus what the stores keep. */
export const proceeds: Metric = {
  values: (world, span) => {
    const lines = linesIn(world, span)
    return { proceeds: text(netOf(lines) - sum(lines.map((line) => commissionOf(world, line)))) }
  },
  unconverted: unconvertedLines,
}

/** What the store keeps of a line: the rounded share of a charge; of returns, the share of all returns so far. */
function commissionOf(world: World, line: Line): bigint {
  if (line.usd === null) return 0n
  const rate = decimal(commissionRateOf(world, line))
  if (line.kind === 'CHARGE') return times(line.usd, rate)
  return times(line.returned.before, rate) - times(line.returned.after, rate)
}

function commissionRateOf({ asked }: World, { purchase, chargedAt, firstPaidAt }: Line): string {
  const given = asked.commissionRates?.[purchase.store]
  if (given !== undefined) return given
  if (purchase.store !== 'IOS_STORE' && purchase.store !== 'ANDROID_STORE') return '0'
  if (purchase.store === 'ANDROID_STORE' && purchase.productType === 'SUBSCRIPTION') return '0.15'
  return chargedAt < yearAfter(firstPaidAt ?? chargedAt) ? '0.3' : '0.15'
}

/** The same UTC day and time of the next year; 29 February becomes 28 February. */
function yearAfter(instant: number): number {
  const date = new Date(instant)
  const isLeapDay = date.getUTCMonth() === 1 && date.getUTCDate() === 29
  return date.setUTCFullYear(date.getUTCFullYear() + 1, date.getUTCMonth(), isLeapDay ? 28 : date.getUTCDate())
}

/** Share of the charges of the cell of which something is returned. */
export const refunds: Metric = {
  values: (world, span) => {
    const charges = linesIn(world, span).filter(isPositive)
    return { rate: share(charges.filter((charge) => isReturned(world, charge)).length, charges.length) }
  },
  unconverted: (world, window) => countUnconverted(linesIn(world, window).filter(({ kind }) => kind === 'CHARGE')),
}

function isReturned({ lines }: World, { purchase, transactionId }: Line): boolean {
  const own = lines.filter((line) => line.purchase === purchase && line.transactionId === transactionId)
  return (own.filter(({ kind }) => kind !== 'CHARGE').at(-1)?.returned.after ?? 0n) > 0n
}

/** Lifetime net of the people who paid something in the cell. */
export const ltv: Metric = {
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
}

const payersIn = (world: World, span: Span): string[] => [
  ...new Set(
    linesIn(world, span)
      .filter(isPositive)
      .map(({ purchase }) => purchase.subscriberId),
  ),
]

/** Net of the cell for each person who was a paying subscriber in it, and for each who paid in it. */
export const perUser: Metric = {
  values: (world, span) => {
    const net = netOf(linesIn(world, span))
    const active = world.chains.filter((chain) => momentsDuring(world, chain, span).some(({ isPaid }) => isPaid))
    const subscribers = new Set(active.map(({ purchase }) => purchase.subscriberId))
    return { arpu: perHead(net, subscribers.size), arppu: perHead(net, payersIn(world, span).length) }
  },
  unconverted: unconvertedLines,
}

/** People who paid in the cell, and those of them who had never paid before. */
export const customers: Metric = {
  values: (world, span) => {
    const payers = payersIn(world, span)
    const earlier = new Set(payersIn(world, { start: Number.NEGATIVE_INFINITY, end: span.start }))
    return { new: payers.filter((payer) => !earlier.has(payer)).length, paying: payers.length }
  },
  unconverted: unconvertedLines,
}
