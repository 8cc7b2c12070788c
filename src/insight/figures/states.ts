import type { Money } from '../../base/lib/money'
import { isPaidFor, isTroubled } from '../../core/purchase/status'
import type { SavedLine } from '../../people/purchases/line-rows'
import type { PurchaseState, TransactionLine } from '../../people/purchases/model'
import { isNothing } from './diff'
import { pricePoint } from './lines'
import type { Entry, Values } from './model'
import { type Months, monthlyMicros, monthsOf as periodMonths } from './monthly'
import type { PeriodValue } from './period-price'
import { churnName, isDue, NO_PHASE, type Phase, phaseOf, phaseValues } from './phases'
import type { Moment } from './timeline'

/** What a purchase counts for at an instant. */
export interface Standing {
  mrr: number
  isPaid: boolean
  isTrial: boolean
  isUnconverted: boolean
  storeProductId: string
  /** Price and currency of the period that is paid for. */
  price: string | null
  transactionId: string | null
  /** The last charge, while it is paid for; USD micros. */
  charged: number
  phase: Phase
}

export const NOTHING: Standing = {
  mrr: 0,
  isPaid: false,
  isTrial: false,
  isUnconverted: false,
  storeProductId: '',
  price: null,
  transactionId: null,
  charged: 0,
  phase: NO_PHASE,
}

/** What a purchase ever had: recurring revenue, a person who paid for it. */
export interface Past {
  hadMrr: boolean
  wasPaid: boolean
  /** When the billing issue that it is in started; null = it is in none. */
  troubledSince: number | null
}

type Step = readonly [from: Standing, to: Standing]

/** What decides the standing of a purchase, besides its state. */
export interface StandingRules {
  /** Charges by store transaction; what was not paid for is missing. */
  charged: ReadonlyMap<string, SavedLine>
  /** How long the period of a product is that started at an instant. */
  monthsOf: (period: BegunPeriod, periodEnd: number | null) => Months | null
  /** What the period of a charge costs at an instant, where the store reports no price of a period. */
  priceOf: (charge: SavedLine, at: number) => PeriodValue
  /** USD micros of an amount by the rate of a day; null when there is no rate. */
  toUsd: (price: Money, at: number) => number | null
}

type BegunPeriod = Pick<TransactionLine, 'storeProductId' | 'occurredAt' | 'period'>

/** What the purchase counts for in a state. */
export function standingOf({ at, state, periodEnd }: Moment, rules: StandingRules): Standing {
  if (state?.productType !== 'SUBSCRIPTION') return NOTHING
  const { status, storeProductId, storeTransactionId, isTrial } = state
  const phase = phaseOf(state)
  if (status === 'TRIAL') return { ...NOTHING, storeProductId, phase, isTrial: true }
  const isLive = isPaidFor(status) && !isTrial
  const charge = rules.charged.get(storeTransactionId)
  if (!isLive || (!charge && !state.recurring)) return { ...NOTHING, storeProductId, phase }
  const { price, mrr, isUnconverted } = priceStanding({ at, state, periodEnd }, charge, rules)
  const transactionId = charge?.row.id ?? null
  const charged = Math.max(0, charge?.row.usdMicros ?? 0)
  return { mrr, isPaid: true, isTrial: false, isUnconverted, storeProductId, price, transactionId, charged, phase }
}

/** The price of a period in dollars and for each month: the price that the store reports, else that of the charge. */
function priceStanding(
  { at, state, periodEnd }: Moment & { state: PurchaseState },
  charge: SavedLine | undefined,
  { monthsOf, priceOf, toUsd }: StandingRules,
): Pick<Standing, 'price' | 'mrr' | 'isUnconverted'> {
  const { recurring, storeProductId, purchaseDate: occurredAt } = state
  if (recurring) {
    const { price, period, since } = recurring
    const months = period === null ? null : periodMonths(period, 0, null)
    const value = { price, usdMicros: toUsd(price, since) }
    return mrrOf(value, months ?? monthsOf({ storeProductId, occurredAt }, periodEnd))
  }
  if (!charge) return { price: null, mrr: 0, isUnconverted: false }
  return mrrOf(priceOf(charge, at), monthsOf(charge.line, periodEnd))
}

function mrrOf(
  { price, usdMicros }: PeriodValue,
  months: Months | null,
): Pick<Standing, 'price' | 'mrr' | 'isUnconverted'> {
  const of = (mrr: number, isUnconverted = false) => ({ price: pricePoint(price), mrr, isUnconverted })
  if (price === null || price.amountMicros <= 0) return of(0)
  if (usdMicros === null || months === null) return of(0, true)
  return of(Math.max(0, monthlyMicros(usdMicros, months)))
}

/**
 * The changes of standing along the moments, as entries. `before` is the standing just before the first moment,
 * `past` what there ever was until then.
 */
export function stateEntries(moments: readonly Moment[], rules: StandingRules, before: Standing, past: Past): Entry[] {
  const entries: Entry[] = []
  let last = before
  let { hadMrr, wasPaid, troubledSince } = past
  const standings = standingsOf(moments, rules)
  for (const [index, { at }] of moments.entries()) {
    const next = withPrice(standings[index] ?? NOTHING, last)
    entries.push(...changeEntries(at, last, next, { hadMrr, wasPaid, troubledSince }))
    last = next
    hadMrr ||= next.mrr > 0
    wasPaid ||= next.isPaid
    troubledSince = isTroubled(next.phase.status) ? (troubledSince ?? at) : null
  }
  return entries
}

/** Without a charge, a purchase stays in the group of the price that was paid last. */
const withPrice = (next: Standing, last: Standing): Standing =>
  next.isPaid || next.storeProductId !== last.storeProductId ? next : { ...next, price: last.price }

/** An end has the reason that was reported last: many stores report it after the end. */
function standingsOf(moments: readonly Moment[], rules: StandingRules): Standing[] {
  const standings = moments.map((moment) => standingOf(moment, rules))
  for (let index = standings.length - 2; index >= 0; index--) {
    const [one, after] = [standings[index], standings[index + 1]]
    if (one?.phase.status === 'EXPIRED' && after?.phase.status === 'EXPIRED')
      standings[index] = { ...one, phase: { ...one.phase, reason: after.phase.reason } }
  }
  return standings
}

/**
 * A change is an entry of the product and the price that it is about. When one of them changes too, the old one has the
 * opposite of what it had and the new one what it has, under the same name, so that groups and the whole both add up.
 */
function changeEntries(at: number, last: Standing, next: Standing, past: Past): Entry[] {
  if (isSameStanding(last, next)) return []
  const isSwitch = hasStanding(last) && hasStanding(next) && !isSameGroup(last, next)
  const movement = movementOf(last.mrr, next.mrr, past.hadMrr)
  const steps: [from: Standing, to: Standing, about: Standing][] = isSwitch
    ? [
        [last, NOTHING, last],
        [NOTHING, next, next],
      ]
    : [[last, next, hasStanding(next) ? next : last]]
  return steps.flatMap(([from, to, { storeProductId, price }]) => {
    const values = {
      ...mrrValues(movement, to.mrr - from.mrr),
      ...countValues([last, next], [from, to], past.wasPaid),
      ...phasesOf([last, next], [from, to], at - (past.troubledSince ?? at)),
    }
    const transactionId = to.transactionId ?? from.transactionId
    return isNothing(values)
      ? []
      : [{ kind: 'STATE', key: '', transactionId, at, storeProductId, price, pendingUntil: null, values }]
  })
}

/** Most renewals change nothing: the period before ends where theirs starts. */
const isSameStanding = (a: Standing, b: Standing): boolean =>
  isSameGroup(a, b) &&
  a.mrr === b.mrr &&
  a.isPaid === b.isPaid &&
  a.isTrial === b.isTrial &&
  a.isUnconverted === b.isUnconverted &&
  a.phase.status === b.phase.status &&
  a.phase.renews === b.phase.renews

const isSameGroup = (a: Standing, b: Standing): boolean => a.storeProductId === b.storeProductId && a.price === b.price

function phasesOf([last, next]: Step, [from, to]: Step, troubledMs: number): Values {
  const values = phaseValues({ last: last.phase, next: next.phase, from: from.phase, to: to.phase })
  const isLeft = from.isPaid && !next.isPaid
  const churn = isLeft ? churnName(next.phase) : null
  return {
    ...values,
    ...(values.billingRecovered && { recoveryMs: troubledMs }),
    ...(churn && { [churn]: 1 }),
    ...(isLeft && isDue(last.phase, next.phase) && { due: 1, dueMicros: last.charged }),
  }
}

const hasStanding = ({ phase }: Standing): boolean => phase.status !== null

type Movement = 'mrrNew' | 'mrrReactivation' | 'mrrExpansion' | 'mrrContraction' | 'mrrChurn'

function movementOf(before: number, after: number, hadMrr: boolean): Movement {
  if (before === 0) return hadMrr ? 'mrrReactivation' : 'mrrNew'
  if (after === 0) return 'mrrChurn'
  return after >= before ? 'mrrExpansion' : 'mrrContraction'
}

const mrrValues = (movement: Movement, change: number): Values =>
  change === 0 ? {} : { [movement]: movement === 'mrrContraction' || movement === 'mrrChurn' ? -change : change }

/** Of a change between products that are both paid for, leaving and coming are one matter: nobody left. */
function countValues([last, next]: Step, [from, to]: Step, wasPaid: boolean): Values {
  const paid = Number(to.isPaid) - Number(from.isPaid)
  const trial = Number(to.isTrial) - Number(from.isTrial)
  const unconverted = Number(to.isUnconverted) - Number(from.isUnconverted)
  return {
    ...(paid !== 0 && (last.isPaid && !next.isPaid ? { paidOut: -paid } : { paidIn: paid })),
    ...(paid !== 0 && !last.isPaid && wasPaid && { paidAgain: paid }),
    ...(trial !== 0 && (last.isTrial && !next.isTrial ? { trialOut: -trial } : { trialIn: trial })),
    ...(unconverted !== 0 && { mrrUnconverted: unconverted }),
  }
}
