import type { AnyEvent } from '../../../api/schemas'
import type { Tone } from '../../../kit/state'
import { type Words, wordOf } from '../../../parts/words'

type Event = AnyEvent

/** The identifier of a product that the catalogue does not have, such as that of a grant. */
const NO_PRODUCT = 'unknown'

interface Money {
  amountMicros: number
  currency: string
}

/** The members of an event's data and images that the words need. Old events may have been reduced to none of them. */
interface Facts {
  product: string | null
  end: string | null
  graceEnd: string | null
  statusBefore: string | null
  statusAfter: string | null
  transaction: { price: Money | null; kind: string } | null
}

type Values = Record<string, unknown>

const valuesOf = (value: unknown): Values => (value !== null && typeof value === 'object' ? (value as Values) : {})
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function factsOf({ before, after, data }: Event): Facts {
  const was = valuesOf(valuesOf(before).purchase)
  const is = valuesOf(valuesOf(after).purchase)
  const transaction = valuesOf(data.transaction)
  return {
    product: textOf(is.productIdentifier) ?? textOf(was.productIdentifier),
    end: textOf(is.effectiveEnd),
    graceEnd: textOf(is.gracePeriodExpiresAt),
    statusBefore: textOf(was.status),
    statusAfter: textOf(is.status),
    transaction: 'kind' in transaction ? (transaction as unknown as Facts['transaction']) : null,
  }
}

/** The name of an event. Access that was granted is no purchase to the reader. */
export const titleOf = (event: Event, { t }: Words): string =>
  isGrant(event) ? t.legend.granted : wordOf(t.events, event.type)

const isGrant = ({ type, cause }: Event): boolean => type === 'purchase.initial' && cause.store === 'MANUAL'

/** What an event did, in a few words beside its name. */
export function wordsOf(event: Event, words: Words, productOf = (identifier: string) => identifier): string {
  const write = WRITERS[event.type]
  const facts = factsOf(event)
  const product = facts.product === null || facts.product === NO_PRODUCT ? null : productOf(facts.product)
  const own = write?.(event.data, words, { ...facts, product }) ?? []
  if (isGrant(event) && event.cause.detail !== null) own.push(event.cause.detail)
  return own.filter(Boolean).join(', ')
}

/** The amount of an event; negative for a refund. */
export function amountOf(event: Event): Money | null {
  const refund = valuesOf(event.data.refund)
  if (event.type === 'purchase.refunded' && typeof refund.amountMicros === 'number')
    return { amountMicros: -Math.abs(refund.amountMicros), currency: String(refund.currency) }
  const price = factsOf(event).transaction?.price ?? null
  return price ?? (event.type === 'funnel.paid' ? (valuesOf(event.data.price) as unknown as Money) : null)
}

type Writer = (data: Values, words: Words, facts: Facts) => (string | null | false)[]

const bought: Writer = (_, { t, day }, { product, end }) => [product, end !== null && t.words.until(day(end))]
const access: Writer = ({ access }) => [textOf(access)]
const page: Writer = ({ pageId }) => [textOf(pageId)]
const experiment: Writer = ({ key, variantId }, { t }) => [textOf(key), t.words.variant(String(variantId))]

const WRITERS: Record<string, Writer> = {
  'purchase.initial': bought,
  'purchase.renewed': (data, words, facts) => [
    ...bought(data, words, facts),
    data.reactivation === true && words.t.words.again,
  ],
  'purchase.trial_converted': bought,
  'purchase.recovered': bought,
  'purchase.resumed': bought,
  'purchase.extended': bought,
  'purchase.non_renewing': (_, __, { product }) => [product],
  'purchase.charged': (_, __, { product }) => [product],
  'purchase.corrected': (_, __, { product }) => [product],
  'purchase.refund_reversed': (_, __, { product }) => [product],
  'purchase.refunded': (_, __, { product }) => [product],
  'purchase.revoked': (_, __, { product }) => [product],
  'purchase.trial_started': ({ trialEndsAt }, { t, day }, { product }) => [
    product,
    typeof trialEndsAt === 'string' && t.words.trialEnds(day(trialEndsAt)),
  ],
  'purchase.cancelled': ({ endsAt }, { t, day }, { product }) => [
    product,
    typeof endsAt === 'string' && t.words.endsAt(day(endsAt)),
  ],
  'purchase.uncancelled': bought,
  'purchase.billing_issue': ({ phase }, { t, status, day }, { product, statusBefore, statusAfter, graceEnd }) => [
    product,
    statusBefore !== null && statusAfter !== null && t.words.to(status(statusBefore), status(statusAfter)),
    phase === 'GRACE' && graceEnd !== null ? t.words.grace(day(graceEnd)) : phase === 'RETRY' && t.words.retry,
  ],
  'purchase.grace_period': ({ gracePeriodExpiresAt }, { t, day }, { product }) => [
    product,
    typeof gracePeriodExpiresAt === 'string' && t.words.grace(day(gracePeriodExpiresAt)),
  ],
  'purchase.paused': ({ autoResumeAt }, { t, day }, { product }) => [
    product,
    typeof autoResumeAt === 'string' && t.words.resumes(day(autoResumeAt)),
  ],
  'purchase.expired': ({ reason }, { t }, { product }) => [
    product,
    typeof reason === 'string' && wordOf(t.words.expired, reason),
  ],
  'purchase.product_changed': ({ effective }, { t }, { product }) => [
    product,
    effective === 'NEXT_PERIOD' && t.words.nextPeriod,
  ],
  'purchase.price_increase_consent': ({ state }, { t }, { product }) => [
    product,
    typeof state === 'string' && wordOf(t.words.consent, state),
  ],
  'entitlement.granted': access,
  'entitlement.revoked': access,
  'subscriber.identified': ({ appUserId }, { t }) => [textOf(appUserId) !== null && t.words.as(String(appUserId))],
  'subscriber.transferred': ({ role }, { t }) => [role === 'FROM' ? t.words.toOther : t.words.from],
  'currency.transaction': ({ code, amount, balance, ledgerType }, { t }) => [
    `${String(code)} ${t.words.to(String(Number(balance) - Number(amount)), String(balance))}`,
    typeof ledgerType === 'string' && wordOf(t.ledgerTypes, ledgerType),
  ],
  'experiment.exposed': experiment,
  'experiment.converted': experiment,
  'funnel.session.started': page,
  'funnel.session.advanced': page,
  'funnel.session.completed': page,
}

const TONES: Record<string, Tone> = {
  'purchase.trial_started': 'info',
  'purchase.cancelled': 'warn',
  'purchase.billing_issue': 'warn',
  'purchase.grace_period': 'warn',
  'purchase.expired': 'mute',
  'purchase.paused': 'mute',
  'purchase.refunded': 'bad',
  'purchase.revoked': 'bad',
  'entitlement.granted': 'good',
  'entitlement.revoked': 'mute',
}

export const toneOfEvent = ({ type }: Event): Tone =>
  TONES[type] ?? (type.startsWith('purchase.') || type === 'funnel.paid' ? 'good' : 'mute')
