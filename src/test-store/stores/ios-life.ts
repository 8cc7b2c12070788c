import { DAY } from '../../base/lib/clock'
import type { TransactionPayload } from '../../stores/ios/decode'
import type { RenewalPayload } from '../../stores/ios/renewal'
import { transactionIdOf } from '../../stores/test-keys/ids'
import { type SimulatedProduct, simulatedCopy, simulatedPurchase, simulatedRefund, simulatedRenewal } from './ios'
import {
  type Due,
  type LifeBase,
  movedEarlier,
  type Redating,
  refused,
  type SimulatedNews,
  type SimulatedTerms,
  type Turn,
  type Turned,
  type TurnOrder,
} from './life'
import { GRACE_MS, type NotificationKind } from './notification'

/** A purchase at the iOS test store. */
export interface IosLife extends LifeBase {
  store: 'ios'
  bundleId: string
  /** The current transaction, as it was last signed. */
  transaction: TransactionPayload
  /** The terms of the next period when it is of another product. */
  next: SimulatedTerms | null
  autoRenews: boolean
  trouble: 'NONE' | 'GRACE' | 'RETRY'
  graceUntil: number | null
  /** When the store stops trying to charge. */
  retryUntil: number | null
  consent: { priceMicros: number; isGiven: boolean } | null
  isEnded: boolean
  takenBack: 'REFUND' | 'REVOCATION' | null
}

export interface IosOrder {
  deviceKey: string
  bundleId: string
  terms: SimulatedTerms
  seed: string
  now: number
  withTrial: boolean
  /** The ended purchase whose chain this one continues. */
  previous: IosLife | null
}

const RETRY_MS = 60 * DAY

/** A customer buys. When the customer buys an ended subscription again, the store continues its chain. */
export function buyAtIos(order: IosOrder): { life: IosLife; told: SimulatedNews[] } {
  const { deviceKey, bundleId, terms, seed, previous } = order
  const now = previous ? Math.max(order.now, previous.lastAt + 1) : order.now
  const transaction = simulatedPurchase({
    bundleId,
    product: toProduct(terms),
    transactionId: transactionIdOf(seed),
    now,
    withTrial: order.withTrial,
    ...(previous && { previous: previous.transaction }),
  })
  const life: IosLife = {
    ...{
      store: 'ios',
      id: transaction.originalTransactionId,
      deviceKey,
      bundleId,
      terms,
      transaction,
      boughtAt: now,
      lastAt: now,
    },
    ...{ next: null, autoRenews: terms.type === 'SUBSCRIPTION', ...CALM, consent: null, isEnded: false },
    takenBack: null,
  }
  const kind: NotificationKind =
    terms.type === 'SUBSCRIPTION' ? ['SUBSCRIBED', previous ? 'RESUBSCRIBE' : 'INITIAL_BUY'] : ['ONE_TIME_CHARGE', null]
  return { life, told: [tell(life, kind, `${seed}:bought`)] }
}

const CALM = { trouble: 'NONE', graceUntil: null, retryUntil: null } as const

/** The next turn that happens without a command; null when there is none. */
export function iosDue(life: IosLife): Due | null {
  const { expiresDate } = life.transaction
  if (isOver(life) || expiresDate === undefined || life.terms.type !== 'SUBSCRIPTION') return null
  if (life.trouble === 'GRACE') return { at: life.graceUntil ?? expiresDate, turn: 'grace-expire' }
  if (life.trouble === 'RETRY') return { at: life.retryUntil ?? expiresDate, turn: 'expire' }
  const isRefused = life.consent?.isGiven === false
  return { at: expiresDate, turn: life.autoRenews && !isRefused ? 'renew' : 'expire' }
}

/** Whether nothing can follow except a new purchase or a reversal. */
export const isOver = ({ isEnded, takenBack }: IosLife): boolean => isEnded || takenBack !== null

export function redateIos(life: IosLife, by: Redating): IosLife {
  const { transaction, graceUntil, retryUntil } = life
  const { expiresDate } = transaction
  return {
    ...life,
    transaction:
      expiresDate === undefined ? transaction : { ...transaction, expiresDate: movedEarlier(expiresDate, by) },
    graceUntil: graceUntil && movedEarlier(graceUntil, by),
    retryUntil: retryUntil && movedEarlier(retryUntil, by),
  }
}

/** `kind`: null = the store reports nothing. */
type Change = { ok: true; life: IosLife; kind: NotificationKind | null; renewal?: Partial<RenewalPayload> }
type Handler = (life: IosLife, order: TurnOrder) => Change | { ok: false; why: string }

/** Takes a turn. A turn that the store takes by itself first moves the end of the running period to now. */
export function turnIos(life: IosLife, order: TurnOrder): Turned<IosLife> {
  const now = Math.max(order.now, life.lastAt + 1)
  const why = reasonAgainst(life, order.turn)
  if (why !== null) return refused(why)
  const change = HANDLERS[order.turn](life, { ...order, now })
  if (!change.ok) return change
  const turned = { ...change.life, lastAt: now }
  const told = change.kind === null ? [] : [tell(turned, change.kind, order.nextSeed(), change.renewal)]
  return { ok: true, lives: [turned], told }
}

const OF_ANYTHING: readonly Turn[] = ['refund', 'reverse-refund', 'revoke', 'restore']

function reasonAgainst(life: IosLife, turn: Turn): string | null {
  if (turn === 'reverse-refund') return life.takenBack === 'REFUND' ? null : 'No refund of it can be reversed.'
  if (life.takenBack !== null) return 'It was given back; buy it again with: svc simulate purchase'
  if (OF_ANYTHING.includes(turn)) return null
  if (life.terms.type !== 'SUBSCRIPTION') return 'It is no subscription.'
  return life.isEnded ? 'It has ended; buy it again with: svc simulate purchase' : null
}

const HANDLERS: Record<Turn, Handler> = {
  settle: () => refused('A purchase at the iOS store is paid at once.'),
  renew(life, order) {
    if (life.trouble !== 'NONE') return refused('A charge has failed; go on with: svc simulate recover')
    if (!life.autoRenews) return refused('It is cancelled; go on with: svc simulate uncancel')
    return { ok: true, life: renewed(endedBy(life, order.now), order), kind: ['DID_RENEW', null] }
  },
  recover(life, order) {
    if (life.trouble === 'NONE') return refused('No charge of it has failed.')
    return { ok: true, life: renewed(life, order), kind: ['DID_RENEW', 'BILLING_RECOVERY'] }
  },
  cancel(life) {
    if (!life.autoRenews) return refused('It is cancelled already.')
    const kind = ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'] as const
    return { ok: true, life: { ...life, autoRenews: false }, kind }
  },
  uncancel(life) {
    if (life.autoRenews) return refused('It is not cancelled.')
    return {
      ok: true,
      life: { ...life, autoRenews: true },
      kind: ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'],
    }
  },
  'billing-issue'(life, { now, hasNoGrace = false }) {
    if (life.trouble !== 'NONE') return refused('A charge has failed already.')
    if (!life.autoRenews) return refused('It is cancelled, so nothing more is charged.')
    const ended = { ...endedBy(life, now), retryUntil: now + RETRY_MS }
    if (hasNoGrace) return { ok: true, life: { ...ended, trouble: 'RETRY' }, kind: ['DID_FAIL_TO_RENEW', null] }
    const inGrace: IosLife = { ...ended, trouble: 'GRACE', graceUntil: now + GRACE_MS }
    return { ok: true, life: inGrace, kind: ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'] }
  },
  'grace-expire'(life) {
    if (life.trouble !== 'GRACE') return refused('It is in no grace period.')
    return { ok: true, life: { ...life, trouble: 'RETRY', graceUntil: null }, kind: ['GRACE_PERIOD_EXPIRED', null] }
  },
  expire(life, { now }) {
    const reason =
      life.trouble !== 'NONE' ? 'BILLING_RETRY' : life.consent?.isGiven === false ? 'PRICE_INCREASE' : 'VOLUNTARY'
    // A subscription that ends without a billing problem was cancelled before.
    const autoRenews = life.autoRenews && reason !== 'VOLUNTARY'
    return { ok: true, life: { ...endedBy(life, now), ...CALM, autoRenews, isEnded: true }, kind: ['EXPIRED', reason] }
  },
  refund(life, { now, amountMicros = null }) {
    const share = amountMicros === null ? null : shareOf(life, amountMicros)
    if (typeof share === 'string') return refused(share)
    const refunded = simulatedRefund(withoutTerms(life.transaction), now)
    const terms = share === null ? {} : { revocationType: 'REFUND_PRORATED', revocationPercentage: share }
    // A refund of a part ends the access too.
    const transaction = { ...refunded, ...terms }
    return { ok: true, life: { ...life, transaction, takenBack: 'REFUND' }, kind: ['REFUND', null] }
  },
  'reverse-refund'(life) {
    const { revocationDate: _1, revocationReason: _2, ...transaction } = withoutTerms(life.transaction)
    return { ok: true, life: { ...life, transaction, takenBack: null }, kind: ['REFUND_REVERSED', null] }
  },
  revoke(life, { now }) {
    const transaction = simulatedRefund(life.transaction, now)
    return { ok: true, life: { ...life, transaction, takenBack: 'REVOCATION' }, kind: ['REVOKE', null] }
  },
  /** The store gives a restored purchase another transaction id. Only the app tells it. */
  restore(life, { now, nextSeed }) {
    if (life.terms.type === 'CONSUMABLE') return refused('It is used up, so the store does not restore it.')
    const transaction = simulatedCopy(life.transaction, { transactionId: transactionIdOf(nextSeed()), now })
    return { ok: true, life: { ...life, transaction }, kind: null }
  },
  upgrade(life, { now, to, nextSeed }) {
    if (!to) return refused('Name the product with --to.')
    if (to.productId === life.terms.productId) return refused('It is that product already.')
    const transaction = simulatedPurchase({
      ...{ bundleId: life.bundleId, product: toProduct(to), transactionId: transactionIdOf(nextSeed()), now },
      previous: life.transaction,
    })
    const upgraded: IosLife = { ...life, ...CALM, transaction, terms: to, next: null, consent: null, autoRenews: true }
    return { ok: true, life: upgraded, kind: ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'] }
  },
  downgrade(life, { to }) {
    if (!to) return refused('Name the product with --to.')
    const next = to.productId === life.terms.productId ? null : to
    return { ok: true, life: { ...life, next }, kind: ['DID_CHANGE_RENEWAL_PREF', next ? 'DOWNGRADE' : null] }
  },
  'price-increase'(life, { priceMicros }) {
    if (!priceMicros || priceMicros <= life.terms.price.amountMicros)
      return refused('Name a higher price with --price.')
    return {
      ok: true,
      life: { ...life, consent: { priceMicros, isGiven: false } },
      kind: ['PRICE_INCREASE', 'PENDING'],
    }
  },
  'accept-price'(life) {
    const { consent } = life
    if (consent?.isGiven !== false) return refused('No price increase waits for consent.')
    return { ok: true, life: { ...life, consent: { ...consent, isGiven: true } }, kind: ['PRICE_INCREASE', 'ACCEPTED'] }
  },
  extend(life, { days }) {
    if (!days || days > 90) return refused('The iOS store extends by 1 to 90 days.')
    if (life.trouble !== 'NONE') return refused('A charge has failed; the store extends only what is paid for.')
    const { expiresDate = 0 } = life.transaction
    const transaction = { ...life.transaction, expiresDate: expiresDate + days * DAY }
    return { ok: true, life: { ...life, transaction }, kind: ['RENEWAL_EXTENDED', null] }
  },
  'add-item': () => refused(ONE_PRODUCT),
  'remove-item': () => refused(ONE_PRODUCT),
  schedule: () => refused('The iOS store changes the next period by: svc simulate downgrade --to ID'),
  seats: () => refused('The iOS store sells a subscription once to each customer.'),
  credit: () => refused('The iOS store has no balance of the customer that pays for a renewal.'),
  pause: () => refused('The iOS store knows no pause.'),
  resume: () => refused('The iOS store knows no pause.'),
}

const ONE_PRODUCT = 'A subscription at the iOS store has one product; buy the other one with: svc simulate purchase'

/** The part of the price in thousandths of a percent, or the reason why the amount is not a part of it. */
function shareOf({ transaction: { price = 0 }, terms }: IosLife, amountMicros: number): number | string {
  if (amountMicros >= price * 1000) return `The charge was ${price / 1000} ${terms.price.currency}; give back less.`
  return Math.round((amountMicros / (price * 1000)) * 100_000) || 'That is too small a part of the price.'
}

const endedBy = (life: IosLife, now: number): IosLife => {
  const { expiresDate = now } = life.transaction
  return { ...life, transaction: { ...life.transaction, expiresDate: Math.min(expiresDate, now) } }
}

/** The next period, charged now. It ends a trial, and an accepted price applies to it. */
function renewed(life: IosLife, { now, nextSeed }: TurnOrder): IosLife {
  const { consent, next } = life
  const sold = next ?? life.terms
  const price = { ...sold.price, amountMicros: consent?.isGiven ? consent.priceMicros : sold.price.amountMicros }
  const terms = { ...sold, price }
  const order = { product: toProduct(terms), transactionId: transactionIdOf(nextSeed()), now }
  const transaction = simulatedRenewal(withoutTerms(life.transaction), order)
  return { ...life, ...CALM, transaction, terms, next: null, consent: null, autoRenews: true }
}

/** The transaction without the members of an earlier partial refund. */
function withoutTerms(transaction: TransactionPayload): TransactionPayload {
  const held: TransactionPayload & { revocationType?: unknown; revocationPercentage?: unknown } = transaction
  const { revocationType: _1, revocationPercentage: _2, ...rest } = held
  return rest
}

const tell = (
  life: IosLife,
  kind: NotificationKind,
  seed: string,
  renewal: Partial<RenewalPayload> = renewalOf(life),
): SimulatedNews => ({
  store: 'ios',
  type: kind[1] === null ? kind[0] : `${kind[0]}/${kind[1]}`,
  word: {
    kind,
    notificationId: seed,
    now: life.lastAt,
    bundleId: life.bundleId,
    transaction: life.transaction,
    renewal,
  },
})

/** The renewal information, in addition to what the type of the notification means. */
export function renewalOf(life: IosLife): Partial<RenewalPayload> {
  const { transaction, next, consent, graceUntil } = life
  const { productId, price } = next ?? life.terms
  return {
    autoRenewProductId: productId,
    renewalPrice: Math.round((consent?.priceMicros ?? price.amountMicros) / 1000),
    currency: price.currency,
    autoRenewStatus: life.autoRenews && life.takenBack === null ? 1 : 0,
    isInBillingRetryPeriod: life.trouble !== 'NONE',
    ...(transaction.expiresDate === undefined ? {} : { renewalDate: transaction.expiresDate }),
    ...(graceUntil === null ? {} : { gracePeriodExpiresDate: graceUntil }),
    ...(consent ? { priceIncreaseStatus: consent.isGiven ? 1 : 0 } : {}),
  }
}

const TYPES = {
  SUBSCRIPTION: 'Auto-Renewable Subscription',
  CONSUMABLE: 'Consumable',
  NON_CONSUMABLE: 'Non-Consumable',
} as const

/** The terms in the form of the iOS store: prices in thousandths. */
const toProduct = ({ productId, type, period, price, trialPeriod, isCommitted }: SimulatedTerms): SimulatedProduct => ({
  productId,
  type: TYPES[type],
  period: type !== 'SUBSCRIPTION' ? null : isCommitted ? 'P1M' : period,
  ...(isCommitted && { billingPlanType: 'MONTHLY' }),
  price: Math.round(price.amountMicros / 1000),
  currency: price.currency,
  trialPeriod,
})
