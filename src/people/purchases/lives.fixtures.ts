import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import type { Money } from '../../base/lib/money'
import type { Marker, Observation, RenewalPart, Report, TransactionPart } from '../../stores/observation'
import { foldObservations } from './fold'
import type { PurchaseFold, PurchaseState } from './model'
import { statusAt } from './status'

export const START = Date.UTC(2026, 0, 1)
export const day = (count: number): number => START + count * DAY
export const usd = (amountMicros: number): Money => ({ amountMicros, currency: 'USD' })
export const PRICE = usd(9_990_000)

export const part = (members: Partial<TransactionPart> = {}): TransactionPart => ({
  transactionId: '1',
  storeProductId: 'monthly',
  purchaseDate: day(0),
  originalPurchaseDate: day(0),
  expiresAt: day(30),
  isTrial: false,
  isIntroOffer: false,
  offerId: null,
  price: PRICE,
  quantity: 1,
  ownershipType: 'PURCHASED',
  reason: 'PURCHASE',
  ...members,
})

/** A report of a transaction, dated when it was bought unless `eventAt` is given. */
export function sold(members: Partial<TransactionPart> = {}, eventAt?: number, rest: Partial<Report> = {}): Report {
  const transaction = part(members)
  const at = eventAt ?? transaction.purchaseDate
  return { kind: 'REPORT', id: `${transaction.transactionId}@${at}`, eventAt: at, transaction, ...rest }
}

/** The period after day 30, charged by the store. */
export const renewal = (members: Partial<TransactionPart> = {}, eventAt?: number): Report =>
  sold({ transactionId: '2', purchaseDate: day(30), expiresAt: day(60), reason: 'RENEWAL', ...members }, eventAt)

export const trial = (members: Partial<TransactionPart> = {}): Report =>
  sold({ isTrial: true, price: usd(0), expiresAt: day(7), ...members })

/** A report without a transaction. */
export const word = (at: number, members: RenewalPart | Omit<Partial<Report>, 'kind' | 'id' | 'eventAt'>): Report => {
  const rest = 'renewal' in members || 'ended' in members || 'extendedTo' in members ? members : { renewal: members }
  return { kind: 'REPORT', id: `word@${at}`, eventAt: day(at), ...rest } as Report
}

export const mark = (kind: Marker['kind'], at: number, members: Partial<Marker> = {}): Marker => ({
  kind,
  id: `${kind}@${at}`,
  eventAt: day(at),
  transactionId: '1',
  amount: null,
  ...members,
})

/** The fold of observations with a transaction. */
export function foldOf(
  observations: readonly Observation[],
  productType: PurchaseFold['productType'] = 'SUBSCRIPTION',
) {
  const fold = foldObservations(observations, productType)
  if (!fold) throw new Error('No transaction among the observations')
  return fold
}

/** The state of one ordinary purchase, with some members changed. */
export const state = (members: Partial<PurchaseState> = {}): PurchaseState => ({
  ...statusAt(foldOf([sold()]), day(1)),
  ...members,
})

const STEPS = [
  'RENEW',
  'CHANGE',
  'BUY_AGAIN',
  'SIGN_ANEW',
  'CANCEL',
  'UNCANCEL',
  'PENDING',
  'CONSENT',
  'GRACE',
  'RETRY',
  'RECOVER',
  'PAUSE',
  'RESUME',
  'END',
  'EXTEND',
  'REFUND',
  'REFUND_PART',
  'CHARGE_BACK',
  'REVOKE',
  'REVERSE',
] as const

interface Step {
  step: (typeof STEPS)[number]
  /** Days since the previous step. */
  gap: number
  /** Whether it concerns the transaction before the current one, where that is possible. */
  isEarlier: boolean
}

interface Life {
  at: number
  parts: TransactionPart[]
}

/** A subscription in the reports of a store: bought or on trial, then up to seven changes. */
export const anyLife: fc.Arbitrary<Observation[]> = fc
  .record({
    startsWithTrial: fc.boolean(),
    steps: fc.array(
      fc.record({
        step: fc.constantFrom(...STEPS),
        gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })),
        isEarlier: fc.boolean(),
      }),
      { maxLength: 7 },
    ),
  })
  .map(({ startsWithTrial, steps }) => live(startsWithTrial ? trial() : sold(), steps))

/** A life, and the same observations in another order, some of them twice. */
export const anyArrival: fc.Arbitrary<{ life: Observation[]; arrival: Observation[] }> = anyLife.chain((life) =>
  fc
    .tuple(fc.shuffledSubarray(life, { minLength: life.length }), fc.array(fc.constantFrom(...life), { maxLength: 4 }))
    .chain(([all, again]) => {
      const doubled = [...all, ...again]
      return fc.shuffledSubarray(doubled, { minLength: doubled.length }).map((arrival) => ({ life, arrival }))
    }),
)

/** Days from before the purchase to long after it. */
export const anyInstant = fc.integer({ min: -10, max: 500 }).map(day)

function live(first: Report, steps: readonly Step[]): Observation[] {
  const life: Life = { at: 0, parts: first.transaction ? [first.transaction] : [] }
  const rest = steps.map((step, index): Observation => {
    life.at += step.gap
    const rest = happen(life, step)
    if (rest.kind === 'REPORT' && rest.transaction) life.parts.push(rest.transaction)
    return { ...rest, id: `step ${index}`, eventAt: day(life.at) }
  })
  return [first, ...rest]
}

function happen(life: Life, { step, isEarlier }: Step): Observation {
  const current = life.parts.at(-1) ?? part()
  const subject = (isEarlier ? life.parts.at(-2) : null) ?? current
  const renewed = (members: RenewalPart): Report => word(life.at, members)
  const marked = (kind: Marker['kind'], members: Partial<Marker> = {}): Marker =>
    mark(kind, life.at, { transactionId: subject.transactionId, ...members })
  switch (step) {
    case 'RENEW':
      return sold(next(current, Math.max(current.expiresAt ?? 0, day(life.at)), { reason: 'RENEWAL' }))
    case 'CHANGE':
      return sold(next(current, day(life.at), { storeProductId: isEarlier ? 'weekly' : 'yearly' }))
    case 'BUY_AGAIN':
      return sold(next(current, day(life.at), {}))
    case 'SIGN_ANEW':
      return sold(subject, day(life.at))
    case 'CANCEL':
      return renewed({ autoRenews: false })
    case 'UNCANCEL':
      return renewed({ autoRenews: true })
    case 'PENDING':
      return renewed({ pendingStoreProductId: isEarlier ? null : 'yearly' })
    case 'CONSENT':
      return renewed({ priceConsent: isEarlier ? 'PENDING' : 'ACCEPTED' })
    case 'GRACE':
      return renewed({ billingTrouble: 'GRACE', gracePeriodExpiresAt: day(life.at + 16) })
    case 'RETRY':
      return renewed({ billingTrouble: 'RETRY' })
    case 'RECOVER':
      return renewed({ billingTrouble: 'NONE' })
    case 'PAUSE':
      return renewed({ pausedAt: day(life.at + (isEarlier ? 5 : 0)), autoResumeAt: day(life.at + 20) })
    case 'RESUME':
      return renewed({ pausedAt: null })
    case 'END':
      return word(life.at, { ended: { at: day(life.at), reason: isEarlier ? 'REPLACED' : 'DEVELOPER' } })
    case 'EXTEND':
      return word(life.at, { extendedTo: day(life.at + 30) })
    case 'REFUND':
      return marked('REFUND')
    case 'REFUND_PART':
      return marked('REFUND', { amount: usd(1_000_000) })
    case 'CHARGE_BACK':
      return marked('REFUND', { isChargeback: true })
    case 'REVOKE':
      return marked('REVOCATION')
    case 'REVERSE':
      return marked('REVERSAL')
  }
}

const next = (current: TransactionPart, purchaseDate: number, members: Partial<TransactionPart>): TransactionPart => ({
  ...part(),
  storeProductId: current.storeProductId,
  transactionId: String(Number(current.transactionId) + 1),
  purchaseDate,
  expiresAt: purchaseDate + 30 * DAY,
  ...members,
})
