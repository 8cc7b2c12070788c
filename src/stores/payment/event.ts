import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../base/lib/time'

const Id = Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' })

/** The envelope of an event. Its object may have the form of an older API version, so only a few members are read. */
const Envelope = Type.Object({
  id: Id,
  object: Type.Literal('event'),
  type: Type.String({ minLength: 1, maxLength: 255 }),
  created: Type.Integer({ minimum: 0, maximum: Math.floor(MAX_INSTANT / SECOND) }),
  livemode: Type.Boolean(),
  account: Type.Optional(Id),
  data: Type.Object({ object: Type.Record(Type.String(), Type.Unknown()) }),
})

/** What to fetch for an event: the kind of object and its id. */
export type Subject =
  | { kind: 'SUBSCRIPTION'; subscriptionId: string }
  | { kind: 'INVOICE'; invoiceId: string }
  | { kind: 'SESSION'; sessionId: string }
  | { kind: 'PAYMENT'; paymentIntentId: string }
  /** Not from an event: a payment on record, fetched again with its later refunds. */
  | { kind: 'HELD_PAYMENT'; paymentIntentId: string }
  /** The same of an invoice of no subscription. */
  | { kind: 'HELD_INVOICE'; invoiceId: string }
  /** `dispute` is the event's own object. A fetched one would show the outcome of a later appeal. */
  | { kind: 'CHARGE'; chargeId: string; dispute: unknown | null }

/** The id of the object that a subject names. */
export function idOfSubject(subject: Subject): string {
  switch (subject.kind) {
    case 'SUBSCRIPTION':
      return subject.subscriptionId
    case 'INVOICE':
    case 'HELD_INVOICE':
      return subject.invoiceId
    case 'SESSION':
      return subject.sessionId
    case 'CHARGE':
      return subject.chargeId
    default:
      return subject.paymentIntentId
  }
}

export interface ProviderEvent {
  id: string
  type: string
  /** The time of the event. The fetched object counts as the state at this time. */
  createdAt: number
  isLive: boolean
  /** The connected account of the event; null for the account of the key itself. */
  account: string | null
  /** Null for an event that is not about a purchase. */
  subject: Subject | null
}

/** Null when the value is not an event of the provider. */
export function readEvent(value: unknown): ProviderEvent | null {
  if (!Value.Check(Envelope, value)) return null
  const { id, type, created, livemode, account } = value
  return {
    id,
    type,
    createdAt: created * SECOND,
    isLive: livemode,
    account: account ?? null,
    subject: subjectOf(value),
  }
}

const MONEY_BACK = ['charge.refunded', 'charge.refund.updated', 'refund.failed']
const SALES = ['checkout.session.completed', 'checkout.session.async_payment_succeeded']

/**
 * The types of events that have a subject. The provider's list of events accepts at most twenty types in one request.
 */
export const PURCHASE_EVENTS = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'customer.subscription.trial_will_end',
  'invoice.paid',
  'payment_intent.succeeded',
  'charge.dispute.closed',
  ...SALES,
  ...MONEY_BACK,
] as const

function subjectOf({ type, data: { object } }: Static<typeof Envelope>): Subject | null {
  const id = readId(object.id)
  if (id === null) return null
  if (type.startsWith('customer.subscription.')) return { kind: 'SUBSCRIPTION', subscriptionId: id }
  if (type === 'invoice.paid') return { kind: 'INVOICE', invoiceId: id }
  if (SALES.includes(type)) return { kind: 'SESSION', sessionId: id }
  if (type === 'payment_intent.succeeded') return { kind: 'PAYMENT', paymentIntentId: id }
  if (type === 'charge.dispute.closed') return toCharge(readId(object.charge), object)
  if (!MONEY_BACK.includes(type)) return null
  // The object of a refund event is the refund, of other events the charge.
  return toCharge(object.object === 'refund' ? readId(object.charge) : id, null)
}

const toCharge = (chargeId: string | null, dispute: unknown | null): Subject | null =>
  chargeId === null ? null : { kind: 'CHARGE', chargeId, dispute }

/** An id, or the id of the object in its place. */
function readId(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return Value.Check(Id, id) ? id : null
}
