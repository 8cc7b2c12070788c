import type { Marker, Observation, RenewalPart, Report, Store, TransactionPart } from '../../../src/stores/observation'
import { type Sold, SUBSCRIPTIONS, storeProductIdOf } from './catalog'
import { DAY_MS, HOUR_MS, type Recorded } from './history'

/** Most often a subscription renews, as it should. */
export const STEPS = [
  ...Array.from({ length: 11 }, () => 'RENEW' as const),
  'RENEW_FREE',
  'RENEW_UNPRICED',
  'UPGRADE',
  'UPGRADE_WITH_REFUND',
  'CHANGE_NEXT',
  'SWITCH',
  'CANCEL',
  'UNCANCEL',
  'GRACE',
  'RETRY',
  'RECOVER',
  'PAUSE',
  'RESUME',
  'END',
  'EXTEND',
  'BUY_AGAIN',
  'SIGN_ANEW',
  'CORRECT_PRICE',
  'REFUND',
  'REFUND_PART',
  'REFUND_OTHER_CURRENCY',
  'CHARGE_BACK',
  'REVOKE',
  'REVERSE',
  'REVERSE_PART',
] as const

/** How late we learn of something: at once, after minutes, days or months. */
export const DELAYS = [0, 0, 0, 1000, 5 * 60_000, 7 * HOUR_MS, 3 * DAY_MS, 45 * DAY_MS, 200 * DAY_MS] as const

export interface Step {
  step: (typeof STEPS)[number]
  /** Days since the previous step. */
  gap: number
  /** Whether it is about the transaction before the current one. */
  isEarlier: boolean
  /** Index of another product. */
  product: number
  delay: number
  /**
   * The store's word is this much later than the charge, as that of Google Play, which is asked; or earlier, as of a
   * renewal that was charged ahead of its period.
   */
  lag: number
  /** The same news comes again this long after. */
  again: number | null
}

export interface LifePlan {
  /** Prefix of transaction ids. */
  name: string
  store: Store
  currency: string
  start: number
  first: 'TRIAL' | 'PAID' | 'FREE' | 'UNPRICED'
  product: Sold
  isShared: boolean
  steps: Step[]
  delay: number
}

interface Life {
  plan: LifePlan
  at: number
  product: Sold
  parts: TransactionPart[]
}

/** A subscription as its store reports it, from the first period through all steps. */
export function liveOf(plan: LifePlan): Recorded[] {
  const life: Life = { plan, at: plan.start, product: plan.product, parts: [] }
  const free = plan.first === 'TRIAL' || plan.first === 'FREE'
  const members = {
    isTrial: plan.first === 'TRIAL',
    ...(plan.first === 'TRIAL' ? { expiresAt: plan.start + 7 * DAY_MS } : {}),
    ...(plan.first === 'UNPRICED'
      ? { price: null }
      : free
        ? { price: { amountMicros: 0, currency: plan.currency } }
        : {}),
  }
  const told = [recorded(bought(life, plan.start, members), plan.delay)]
  for (const step of plan.steps) {
    life.at += step.gap * DAY_MS
    for (const observation of happen(life, step)) {
      told.push(recorded(observation, step.delay))
      if (step.again !== null) told.push({ ...recorded(observation, step.delay + step.again) })
    }
  }
  return told
}

const recorded = (observation: Observation, delay: number): Recorded => ({
  ...observation,
  recordedAt: observation.eventAt + delay,
})

/** A one-time purchase: its charge, and perhaps what returned of it. */
export function soldOnce(plan: LifePlan): Recorded[] {
  const life: Life = { plan, at: plan.start, product: plan.product, parts: [] }
  const members = plan.first === 'UNPRICED' ? { price: null } : {}
  const told = [recorded(bought(life, plan.start, { ...members, expiresAt: null }), plan.delay)]
  for (const step of plan.steps) {
    if (!/^(REFUND|REVERSE|REVOKE|CHARGE_BACK|SIGN_ANEW)/.test(step.step)) continue
    life.at += step.gap * DAY_MS
    for (const observation of happen(life, step)) told.push(recorded(observation, step.delay))
  }
  return told
}

/** Adds a transaction that is bought at an instant, and reports it. */
function bought(life: Life, purchaseDate: number, members: Partial<TransactionPart>, lag = 0): Report {
  const { plan, product, parts } = life
  const number = String(parts.length + 1).padStart(3, '0')
  const part: TransactionPart = {
    transactionId: `${plan.name}${number}`,
    storeProductId: storeProductIdOf(plan.store, product),
    purchaseDate,
    originalPurchaseDate: parts[0]?.purchaseDate ?? purchaseDate,
    expiresAt: product.days === null ? null : purchaseDate + product.days * DAY_MS,
    isTrial: false,
    isIntroOffer: false,
    offerId: null,
    price: { amountMicros: product.price, currency: plan.currency },
    quantity: 1,
    ownershipType: plan.isShared ? 'FAMILY_SHARED' : 'PURCHASED',
    reason: parts.length === 0 ? 'PURCHASE' : 'RENEWAL',
    ...members,
  }
  parts.push(part)
  life.at = Math.max(life.at, purchaseDate)
  return report(life.at + lag, { transaction: part })
}

const report = (eventAt: number, members: Partial<Report>): Report => ({ kind: 'REPORT', id: '', eventAt, ...members })

function happen(life: Life, step: Step): Observation[] {
  const current = life.parts.at(-1)
  if (!current) return []
  const subject = (step.isEarlier ? life.parts.at(-2) : null) ?? current
  const returned = returnOf(life, step, subject)
  if (returned) return [returned]
  const renewal = renewalOf(life, step)
  if (renewal) return [report(life.at, { renewal })]
  return changeOf(life, step, current, subject)
}

function returnOf({ at, plan }: Life, { step, product }: Step, subject: TransactionPart): Marker | null {
  const { transactionId, price } = subject
  const marker = (kind: Marker['kind'], amount: Marker['amount'] = null, isChargeback?: true): Marker => ({
    ...{ kind, id: '', eventAt: at, transactionId, amount },
    ...(isChargeback && { isChargeback }),
  })
  // A share of the price that seldom comes to whole micros, and sometimes to more than is left.
  const part = {
    amountMicros: Math.floor(((price?.amountMicros ?? 5_000_000) * (product + 2)) / 7),
    currency: plan.currency,
  }
  switch (step) {
    case 'REFUND':
      return marker('REFUND')
    case 'REFUND_PART':
      return marker('REFUND', part.amountMicros === 0 ? null : part)
    case 'REFUND_OTHER_CURRENCY':
      return price && marker('REFUND', { amountMicros: 1_000_000, currency: plan.currency === 'EUR' ? 'USD' : 'EUR' })
    case 'CHARGE_BACK':
      return marker('REFUND', null, true)
    case 'REVOKE':
      return marker('REVOCATION')
    case 'REVERSE':
      return marker('REVERSAL')
    case 'REVERSE_PART':
      return price && marker('REVERSAL', part)
    default:
      return null
  }
}

/** What a store reports about the next periods. */
function renewalOf({ at }: Life, { step, isEarlier, product }: Step): RenewalPart | null {
  switch (step) {
    case 'CANCEL':
      return { autoRenews: false, ...(isEarlier && { priceConsent: 'DECLINED' }) }
    case 'UNCANCEL':
      return { autoRenews: true, ...(isEarlier && { billingTrouble: 'NONE' }) }
    case 'GRACE':
      return { billingTrouble: 'GRACE', gracePeriodExpiresAt: at + (isEarlier ? 3 : 16 + product) * DAY_MS }
    case 'RETRY':
      return { billingTrouble: 'RETRY', ...(isEarlier && { gracePeriodExpiresAt: null }) }
    case 'PAUSE':
      return { pausedAt: at + (isEarlier ? 5 * DAY_MS : 0), autoResumeAt: at + 20 * DAY_MS }
    case 'RESUME':
      return { pausedAt: null }
    default:
      return null
  }
}

/** New transactions, ends, and old transactions told again. */
function changeOf(life: Life, step: Step, current: TransactionPart, subject: TransactionPart): Observation[] {
  const { at, plan } = life
  const other = SUBSCRIPTIONS[step.product % SUBSCRIPTIONS.length] ?? life.product
  // A store renews at the end of the period, or later when the charge failed at first.
  const next = Math.max(current.expiresAt ?? at, at)
  switch (step.step) {
    case 'RENEW':
      return [bought(life, next, {}, step.lag)]
    case 'RENEW_FREE':
      return [bought(life, next, { price: { amountMicros: 0, currency: plan.currency } })]
    case 'RENEW_UNPRICED':
      return [bought(life, next, { price: null }, step.lag)]
    case 'RECOVER':
    case 'BUY_AGAIN':
      return [bought(life, at, step.step === 'BUY_AGAIN' ? { reason: 'PURCHASE' } : {})]
    case 'UPGRADE':
      life.product = other
      return [bought(life, at, { reason: 'PURCHASE' }, Math.max(0, step.lag))]
    case 'UPGRADE_WITH_REFUND':
      return upgradeWithRefund(life, current, other)
    case 'CHANGE_NEXT':
      life.product = other
      return [
        report(at, { renewal: { pendingStoreProductId: storeProductIdOf(plan.store, other) } }),
        bought(life, next, {}),
      ]
    case 'SWITCH':
      return plan.store === 'PAYMENT' ? [switched(life, current, other)] : []
    case 'END':
      return [
        report(at, {
          ended: {
            at: step.isEarlier ? at + 2 * DAY_MS : at,
            reason: REASONS[step.product % REASONS.length] ?? 'UNKNOWN',
          },
        }),
      ]
    case 'EXTEND':
      return [report(at, { extendedTo: (current.expiresAt ?? at) + 14 * DAY_MS })]
    case 'SIGN_ANEW':
      return [report(at, { transaction: subject })]
    case 'CORRECT_PRICE':
      return [report(at, { transaction: correct(life, subject) })]
    default:
      return []
  }
}

const REASONS = ['DEVELOPER', 'BILLING_ERROR', 'UNSUBSCRIBED', 'PRODUCT_UNAVAILABLE', 'UNKNOWN'] as const

/** The old period ends with the new one's beginning, and the rest of its price is returned. */
function upgradeWithRefund(life: Life, current: TransactionPart, other: Sold): Observation[] {
  const { at } = life
  life.product = other
  const amount = current.price && { ...current.price, amountMicros: Math.floor(current.price.amountMicros / 3) }
  const { transactionId } = current
  return [
    report(at, { transaction: current, ended: { at, reason: 'REPLACED' } }),
    bought(life, at, { reason: 'PURCHASE' }),
    ...(amount?.amountMicros ? [{ kind: 'REFUND' as const, id: '', eventAt: at, transactionId, amount }] : []),
  ]
}

/** Another product from now on, without a charge before the next period. The payment provider can do that. */
function switched(life: Life, current: TransactionPart, other: Sold): Report {
  const chargedStoreProductId = current.chargedStoreProductId ?? current.storeProductId
  const transaction = { ...current, storeProductId: storeProductIdOf(life.plan.store, other), chargedStoreProductId }
  life.product = other
  life.parts = life.parts.map((part) => (part === current ? transaction : part))
  return report(life.at, { transaction })
}

/** The store reports a price that it had not told, or another one than before. */
function correct(life: Life, subject: TransactionPart): TransactionPart {
  if (subject.isTrial) return subject
  const price = { amountMicros: life.product.price - 1_000, currency: life.plan.currency }
  const corrected = { ...subject, price }
  life.parts = life.parts.map((part) => (part === subject ? corrected : part))
  return corrected
}
