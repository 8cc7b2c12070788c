import type { Observation, PurchaseEnvironment } from '../../../src/stores/observation'
import { Calendar, type Grain, type Span } from './calendar'
import { compareText, DAY_MS, type History, type Purchase } from './history'
import { firstPaidAtOf, type Line, linesOf } from './lines'
import { monthlyFactor, periodOfDays, times } from './money'
import { dollarsOf, type Price, pricesOf } from './period-prices'
import { instantsOf, type State, stateAt } from './state'
import { type Transaction, transactionsOf } from './transactions'

export type GroupBy = 'store' | 'product' | 'country' | 'platform' | 'offering' | 'placement' | 'variant' | 'price'

/** What is asked about a history. Instants are milliseconds UTC. */
export interface Asked {
  from: number
  to: number
  grain: Grain
  now: number
  /** Only what was recorded before this instant is known; null = everything. */
  knownAt?: number | null
  environment?: PurchaseEnvironment
  groupBy?: GroupBy
  /** Nothing changes from this instant on, although purchases end by the clock; null = the clock continues. */
  horizon?: number | null
  /** Share that a store keeps, as a decimal number, in place of the usual ones. */
  commissionRates?: Record<string, string>
}

/** A purchase from one instant on, until its next moment. */
export interface Moment {
  at: number
  state: State | null
  /** It gives access, and somebody pays for it. */
  isPaid: boolean
  /** Monthly recurring revenue in micros of dollars. */
  mrr: bigint
  /** There is a price, but no rate for it or no period. */
  isLeftOut: boolean
}

/** One purchase, by what is known. */
export interface Chain {
  purchase: Purchase
  known: readonly Observation[]
  storeProductId: string
  transactions: Transaction[]
  lines: Line[]
  moments: Moment[]
  /** When the first charge with an amount was made; null = never. */
  firstPaidAt: number | null
}

/** The purchases and lines that the figures are made of. A group has only its own. */
export interface World {
  chains: Chain[]
  lines: Line[]
  calendar: Calendar
  asked: Asked
}

export function worldOf(history: History, asked: Asked): World {
  const environment = asked.environment ?? 'PRODUCTION'
  const chains = history.purchases
    .filter((purchase) => purchase.environment === environment)
    .flatMap((purchase) => chainOf(history, purchase, knownOf(purchase, asked.knownAt ?? null)))
  return { chains, lines: chains.flatMap(({ lines }) => lines), calendar: new Calendar(history.timezone), asked }
}

/** What was recorded before. The same observation recorded again is nothing new. */
function knownOf({ observations }: Purchase, knownAt: number | null): Observation[] {
  const recorded = observations.filter(({ recordedAt }) => knownAt === null || recordedAt < knownAt)
  const first = new Map<string, Observation>()
  for (const one of recorded.toSorted((a, b) => a.recordedAt - b.recordedAt)) {
    const name = `${one.kind} ${one.id}`
    if (!first.has(name)) first.set(name, one)
  }
  return [...first.values()]
}

function chainOf(history: History, purchase: Purchase, known: readonly Observation[]): Chain[] {
  const transactions = transactionsOf(known)
  const last = transactions.at(-1)
  if (!last) return []
  const prices = pricesOf(known, transactions)
  const moments = instantsOf(known).map((at) =>
    momentOf(history, purchase, prices, stateAt(known, transactions, at), at),
  )
  return [
    {
      purchase,
      known,
      storeProductId: last.part.storeProductId,
      transactions,
      lines: linesOf(purchase, transactions, history.rates),
      moments,
      firstPaidAt: firstPaidAtOf(transactions),
    },
  ]
}

function momentOf(
  history: History,
  purchase: Purchase,
  prices: readonly Price[],
  state: State | null,
  at: number,
): Moment {
  if (!state || !isPaidState(purchase, state)) return { at, state, isPaid: false, mrr: 0n, isLeftOut: false }
  const mrr = mrrOf(history, purchase, state, prices, at)
  return { at, state, isPaid: true, mrr: mrr ?? 0n, isLeftOut: mrr === null }
}

function isPaidState({ productType }: Purchase, { status, current }: State): boolean {
  const isRunning = status === 'ACTIVE' || status === 'GRACE_PERIOD'
  const isGiven = current.ownershipType === 'FAMILY_SHARED' || current.reason === 'GRANT'
  return productType === 'SUBSCRIPTION' && isRunning && !current.isTrial && !isGiven
}

/** The price of the period for one month; null = it cannot be said in dollars a month. */
function mrrOf(
  history: History,
  purchase: Purchase,
  { current }: State,
  prices: readonly Price[],
  at: number,
): bigint | null {
  const usd = dollarsOf(history.rates, prices, current.transactionId, at)
  if (usd === null || usd === 0n) return usd
  const period = periodOf(history, purchase, current)
  const factor = period === null ? null : monthlyFactor(period)
  return factor && times(usd, factor)
}

/** The period of the product that was charged; without a name, the one that the length of the transaction means. */
function periodOf({ products }: History, purchase: Purchase, current: State['current']): string | null {
  const { storeProductId, chargedStoreProductId = storeProductId, purchaseDate, expiresAt } = current
  const own = chargedStoreProductId === purchase.storeProductId ? purchase.productPeriod : null
  const named = products?.[chargedStoreProductId] ?? own
  if (named !== null) return named
  return expiresAt === null ? null : periodOfDays(Math.round((expiresAt - purchaseDate) / DAY_MS))
}

/** The state from an instant on; undefined before the first moment. */
export const momentAt = ({ moments }: Chain, at: number): Moment | undefined => moments.findLast((one) => one.at <= at)

/** The clock stops at the horizon. */
export function cut({ asked }: World, { start, end }: Span): Span {
  const horizon = asked.horizon ?? Number.POSITIVE_INFINITY
  return { start: Math.min(start, horizon), end: Math.min(end, horizon) }
}

/** What a purchase was in during a span: its moment at the start, and those that began later. */
export function momentsDuring(world: World, chain: Chain, span: Span): Moment[] {
  const { start, end } = cut(world, span)
  const first = start < end ? momentAt(chain, start) : undefined
  return [...(first ? [first] : []), ...chain.moments.filter(({ at }) => start < at && at < end)]
}

/** The cells of the window that was asked for. */
export const cellsOf = ({ calendar, asked: { from, to, grain } }: World): Span[] =>
  calendar.cells({ start: from, end: to }, grain)

/** One world for each value of the group, in order; null is the group of those without a value. */
export function groupsOf(world: World, groupBy: GroupBy): { key: string | null; world: World }[] {
  const keyOf = (one: Chain | Line): string | null => {
    if (groupBy === 'product') return one.storeProductId
    // A purchase has one price after another, so only its lines are grouped by it.
    if (groupBy === 'price') return 'price' in one ? one.price : null
    return one.purchase[groupBy] ?? null
  }
  const keys = [...new Set([...world.chains, ...world.lines].map(keyOf))]
  return keys
    .sort((a, b) => (a === null ? 1 : b === null ? -1 : compareText(a, b)))
    .map((key) => ({
      key,
      world: {
        ...world,
        chains: world.chains.filter((chain) => keyOf(chain) === key),
        lines: world.lines.filter((line) => keyOf(line) === key),
      },
    }))
}
