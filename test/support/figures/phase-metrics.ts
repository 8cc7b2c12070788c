import type { Span } from './calendar'
import { isWithin, type Metric, share, sum, text } from './metric'
import type { State } from './state'
import { type Chain, cut, type Moment, type World } from './world'

// Where subscriptions are in their lives, whether or not somebody pays. All of them count, also shared and given ones.
// An end has the reason that was told last of it, at its own instant.

interface Phase {
  at: number
  state: State
  moment: Moment
}

/** A change from one phase to the next; `since` is when the billing issue before it began. */
interface Change {
  before: Phase | undefined
  after: Phase
  since: number
  chain: Chain
}

const isOver = ({ state: { status } }: Phase) => status === 'EXPIRED' || isReturned(status)
const isReturned = (status: State['status']) => status === 'REFUNDED' || status === 'REVOKED'
const isGrace = ({ state }: Phase) => state.status === 'GRACE_PERIOD'
const isTroubled = ({ state }: Phase) => state.status === 'GRACE_PERIOD' || state.status === 'BILLING_RETRY'
const isWell = ({ state }: Phase) => state.status === 'ACTIVE' || state.status === 'TRIAL'

function phasesOf({ moments }: Chain): Phase[] {
  const phases = moments.flatMap((moment) => (moment.state ? [{ at: moment.at, state: moment.state, moment }] : []))
  for (let index = phases.length - 2; index >= 0; index--) {
    const [phase, later] = [phases[index], phases[index + 1]]
    if (phase?.state.status === 'EXPIRED' && later?.state.status === 'EXPIRED')
      phase.state = { ...phase.state, reason: later.state.reason }
  }
  return phases
}

const subscriptionsOf = ({ chains }: World): Chain[] =>
  chains.filter(({ purchase }) => purchase.productType === 'SUBSCRIPTION')

function changesIn(world: World, span: Span): Change[] {
  return subscriptionsOf(world).flatMap((chain) => {
    let since = 0
    const changes: Change[] = []
    let before: Phase | undefined
    for (const after of phasesOf(chain)) {
      changes.push({ before, after, since, chain })
      if (isTroubled(after) && !(before && isTroubled(before))) since = after.at
      before = after
    }
    return changes.filter(({ after }) => isWithin(cut(world, span), after.at))
  })
}

const phasesBefore = (world: World, at: number): Phase[] =>
  subscriptionsOf(world).flatMap((chain) => phasesOf(chain).findLast((phase) => phase.at < at) ?? [])

const never = () => 0

/** Numbers of changes into a state, and out of it to a state that is well or to another one. */
function passage(world: World, span: Span, is: (phase: Phase) => boolean) {
  const changes = changesIn(world, span)
  const left = changes.filter(({ before, after }) => before && is(before) && !is(after))
  const recovered = left.filter(({ after }) => isWell(after))
  return {
    begun: changes.filter(({ before, after }) => !(before && is(before)) && is(after)).length,
    recovered: recovered.length,
    lost: left.length - recovered.length,
    time: recovered.reduce((total, { after, since }) => total + after.at - since, 0),
  }
}

/** Subscriptions in each status at the end of the cell. */
export const phaseStatuses: Metric = {
  values: (world, span) => {
    const phases = phasesBefore(world, cut(world, span).end)
    const count = (...wanted: State['status'][]) => phases.filter(({ state }) => wanted.includes(state.status)).length
    return {
      trial: count('TRIAL'),
      active: count('ACTIVE'),
      grace: count('GRACE_PERIOD'),
      retry: count('BILLING_RETRY'),
      paused: count('PAUSED'),
      expired: count('EXPIRED'),
      refunded: count('REFUNDED', 'REVOKED'),
      renewing: phases.filter((phase) => !isOver(phase) && phase.state.renews).length,
    }
  },
  unconverted: never,
}

/** How billing issues began and ended, with how long those took that were recovered. */
export const billingIssues: Metric = {
  values: (world, span) => {
    const { start, end } = cut(world, span)
    const { begun, recovered, lost, time } = passage(world, span, isTroubled)
    return {
      start: phasesBefore(world, start).filter(isTroubled).length,
      ...{ begun, recovered, lost },
      end: phasesBefore(world, end).filter(isTroubled).length,
      rate: share(recovered, recovered + lost),
      time: recovered === 0 ? null : Math.round(time / recovered),
    }
  },
  unconverted: never,
}

export const gracePeriods: Metric = {
  values: (world, span) => {
    const { start, end } = cut(world, span)
    const { begun, recovered, lost } = passage(world, span, isGrace)
    return {
      start: phasesBefore(world, start).filter(isGrace).length,
      ...{ entered: begun, recovered, lost },
      end: phasesBefore(world, end).filter(isGrace).length,
      rate: share(recovered, recovered + lost),
    }
  },
  unconverted: never,
}

/** Auto-renewal switched off and on, of what has not ended before or by that. */
export const cancellations: Metric = {
  values: (world, span) => {
    const flips = changesIn(world, span).filter(
      ({ before, after }) => before && !isOver(before) && !isOver(after) && before.state.renews !== after.state.renews,
    )
    const off = flips.filter(({ after }) => !after.state.renews).map(({ after }) => after.state.reason)
    const count = (reason: string) => off.filter((one) => one === reason).length
    const [voluntary, billing, price] = [count('UNSUBSCRIBED'), count('BILLING_ERROR'), count('PRICE_INCREASE')]
    const other = off.length - voluntary - billing - price
    return { voluntary, billing, price, other, takenBack: flips.length - off.length }
  },
  unconverted: never,
}

/** Ends by reason, and ends of what was paid for by where it went. */
export const ends: Metric = {
  values: (world, span) => {
    const changes = changesIn(world, span)
    const ended = changes.filter(({ before, after }) => {
      return after.state.status === 'EXPIRED' && before?.state.status !== 'EXPIRED'
    })
    const count = (...reasons: string[]) => ended.filter(({ after }) => reasons.includes(after.state.reason)).length
    const refund = changes.filter(({ before, after }) => {
      return isReturned(after.state.status) && !(before && isReturned(before.state.status))
    }).length
    return {
      voluntary: count('UNSUBSCRIBED'),
      billing: count('BILLING_ERROR'),
      price: count('PRICE_INCREASE'),
      unavailable: count('PRODUCT_UNAVAILABLE'),
      developer: count('DEVELOPER'),
      replaced: count('REPLACED'),
      unknown: count('UNKNOWN', 'PAUSED'),
      refund,
    }
  },
  unconverted: never,
}

export const churnReasons: Metric = {
  values: (world, span) => {
    const left = changesIn(world, span).filter(({ before, after }) => before?.moment.isPaid && !after.moment.isPaid)
    const count = (is: (state: State) => boolean) => left.filter(({ after }) => is(after.state)).length
    const isEnd = ({ status, reason }: State, ...reasons: string[]) => status === 'EXPIRED' && reasons.includes(reason)
    const voluntary = count((state) => isEnd(state, 'UNSUBSCRIBED', 'PRICE_INCREASE'))
    const billing = count((state) => state.status === 'BILLING_RETRY' || isEnd(state, 'BILLING_ERROR'))
    const refund = count(({ status }) => isReturned(status))
    return { voluntary, billing, refund, other: left.length - voluntary - billing - refund }
  },
  unconverted: never,
}

/** Paid charges after the first one, and ends of what was to renew that nobody explained. */
export const renewals: Metric = {
  values: (world, span) => {
    const awaited = changesIn(world, span).filter(({ before, after }) => {
      const { status, reason } = after.state
      return before?.moment.isPaid && before.state.renews && status === 'EXPIRED' && reason === 'UNKNOWN'
    })
    const charges = awaited.map(({ before, chain }) => {
      const id = before?.state.current.transactionId
      return chain.lines.find(({ kind, transactionId }) => kind === 'CHARGE' && transactionId === id)?.usd ?? 0n
    })
    return { renewals: laterCharges(world, span), due: awaited.length, micros: text(sum(charges)) }
  },
  unconverted: never,
}

function laterCharges(world: World, span: Span): number {
  const later = subscriptionsOf(world).flatMap(({ transactions, lines }) => {
    const isPaid = (id: string) => lines.some(({ transactionId, kind }) => transactionId === id && kind === 'CHARGE')
    const first = transactions.find(({ part, price }) => isPaid(part.transactionId) && (price?.micros ?? 0n) > 0n)
    return lines.filter(({ kind, usd, transactionId, at }) => {
      return kind === 'CHARGE' && (usd ?? 0n) > 0n && transactionId !== first?.part.transactionId && isWithin(span, at)
    })
  })
  return later.length
}
