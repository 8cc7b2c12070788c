import type { Span } from './calendar'
import { isWithin, type Metric, share, sum, text } from './metric'
import { comparePeriods } from './transactions'
import { type Chain, cellsOf, cut, type Moment, momentAt, momentsDuring, type World } from './world'

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

const mrrOf = (moments: readonly Moment[]): bigint => sum(moments.map(({ mrr }) => mrr))

/** Monthly recurring revenue at the end of the cell. */
export const mrr: Metric = {
  values: (world, span) => ({ mrr: text(mrrOf(momentsBefore(world, cut(world, span).end))) }),
  unconverted: (world) => {
    const ends = cellsOf(world).map((cell) => cut(world, cell).end)
    return world.chains.filter((chain) => ends.some((end) => momentAt(chain, end - 1)?.isLeftOut)).length
  },
}

/** Twelve times the monthly recurring revenue. */
export const arr: Metric = {
  values: (world, span) => ({ arr: text(12n * mrrOf(momentsBefore(world, cut(world, span).end))) }),
  unconverted: mrr.unconverted,
}

/** The changes of the monthly recurring revenue, at their instants. */
export const mrrMovement: Metric = {
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
}

function partOf({ chain, before, after }: Step): string {
  const [from, to] = [before?.mrr ?? 0n, after.mrr]
  if (from === to) return 'same'
  if (from === 0n) return chain.moments.some((one) => one.at < after.at && one.mrr > 0n) ? 'reactivation' : 'new'
  if (to === 0n) return 'churn'
  return to > from ? 'expansion' : 'contraction'
}

function sizeOf({ before, after }: Step): bigint {
  const change = after.mrr - (before?.mrr ?? 0n)
  return change < 0n ? -change : change
}

const isOnTrial = ({ state }: Moment): boolean => state?.status === 'TRIAL'

/** Paid subscriptions and trials at the end of the cell. */
export const active: Metric = {
  values: (world, span) => {
    const moments = momentsBefore(world, cut(world, span).end)
    return { active: moments.filter(({ isPaid }) => isPaid).length, trials: moments.filter(isOnTrial).length }
  },
  unconverted: () => 0,
}

/** Paid subscriptions that came and went, each time that it happened. */
export const activeMovement: Metric = {
  values: (world, span) => {
    const { start, end } = cut(world, span)
    const steps = stepsIn(world, span)
    const begun = steps.filter(({ before, after }) => !before?.isPaid && after.isPaid)
    const isAgain = ({ chain, after }: Step) => chain.moments.some(({ at, isPaid }) => at < after.at && isPaid)
    const again = begun.filter(isAgain).length
    return {
      start: momentsBefore(world, start).filter(({ isPaid }) => isPaid).length,
      new: begun.length - again,
      reactivated: again,
      churned: steps.filter(({ before, after }) => before?.isPaid && !after.isPaid).length,
      end: momentsBefore(world, end).filter(({ isPaid }) => isPaid).length,
    }
  },
  unconverted: () => 0,
}

/** Trials that came and went; one that is charged, ends or is refunded goes. */
export const trialMovement: Metric = {
  values: (world, span) => {
    const { start, end } = cut(world, span)
    const steps = stepsIn(world, span).map(({ before, after }) => [
      before ? isOnTrial(before) : false,
      isOnTrial(after),
    ])
    return {
      start: momentsBefore(world, start).filter(isOnTrial).length,
      started: steps.filter(([before, after]) => !before && after).length,
      ended: steps.filter(([before, after]) => before && !after).length,
      end: momentsBefore(world, end).filter(isOnTrial).length,
    }
  },
  unconverted: () => 0,
}

/** Subscriptions in each status at the end of the cell. */
export const statuses: Metric = {
  values: (world, span) => {
    const subscriptions = world.chains.filter(({ purchase }) => purchase.productType === 'SUBSCRIPTION')
    const moments = momentsBefore({ ...world, chains: subscriptions }, cut(world, span).end)
    const found = moments.flatMap(({ state }) => state?.status ?? [])
    return Object.fromEntries([...new Set(found)].sort().map((one) => [one, found.filter((it) => it === one).length]))
  },
  unconverted: () => 0,
}

/** Subscriptions that were no longer paid, each time that it happened, by those that were paid at the start. */
export const churn: Metric = {
  values: (world, span) => {
    const start = momentsBefore(world, cut(world, span).start).filter(({ isPaid }) => isPaid).length
    const churned = stepsIn(world, span).filter(({ before, after }) => before?.isPaid && !after.isPaid).length
    return { start, churned, rate: share(churned, start) }
  },
  unconverted: () => 0,
}

/** Trials that began in the cell, and what became of them up to now. */
export const trials: Metric = {
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
}

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
export const retention: Metric = {
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
}
