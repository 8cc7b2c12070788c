import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type Stripe from 'stripe'
import { SECOND } from '../../base/lib/clock'
import { MAX_INSTANT } from '../../base/lib/time'

/**
 * The provider's objects at API version 2026-10-28.endive, with the members that are used here. Enumerations that the
 * provider may extend are plain text; other members are ignored.
 */

export const Id = Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' })
const Word = Type.String({ maxLength: 255 })
const Seconds = Type.Integer({ minimum: 0, maximum: Math.floor(MAX_INSTANT / SECOND) })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Currency = Type.String({ pattern: '^[A-Za-z]{3}$' })
const Metadata = Type.Record(Type.String(), Type.String())
const Named = Type.Object({ id: Id })
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
/** An id, or the whole object when the request asked to expand it. */
export const Reference = Type.Union([Id, Named])
const listOf = <Schema extends TSchema>(schema: Schema, minItems = 0) =>
  Type.Object({ data: Type.Array(schema, { minItems, maxItems: 10_000 }) })

const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** A number with a fraction: text, or an object of the provider's library. */
const Fraction = Type.Optional(Type.Unknown())
/** An amount that has a fraction of the smallest unit is null, and only the decimal says it. */
const Tier = Type.Object({
  up_to: nullable(Count),
  unit_amount: nullable(Amount),
  unit_amount_decimal: Fraction,
  flat_amount: nullable(Amount),
  flat_amount_decimal: Fraction,
})

/** The members of the amount may be missing in answers that are not expanded. */
const Price = Type.Object({
  id: Id,
  currency: Type.Optional(Currency),
  unit_amount: Type.Optional(nullable(Amount)),
  unit_amount_decimal: Fraction,
  product: Type.Optional(Reference),
  tiers: Type.Optional(Type.Array(Tier, { maxItems: 100 })),
  tiers_mode: Type.Optional(nullable(Word)),
  recurring: Type.Optional(
    nullable(
      Type.Object({ interval: Word, interval_count: Type.Integer({ minimum: 1, maximum: 1095 }), usage_type: Word }),
    ),
  ),
})
export type Price = Static<typeof Price>

const Coupon = Type.Object({
  duration: Word,
  percent_off: nullable(Type.Number({ minimum: 0, maximum: 100 })),
  amount_off: nullable(Amount),
  applies_to: Type.Optional(Type.Object({ products: Type.Array(Id, { maxItems: 1000 }) })),
})

const Discount = Type.Object({
  id: Id,
  end: nullable(Seconds),
  source: Type.Object({ coupon: nullable(Type.Union([Id, Coupon])) }),
})
export type Discount = Static<typeof Discount>
const Discounts = Type.Optional(Type.Array(Type.Union([Id, Discount]), { maxItems: 100 }))

const Item = Type.Object({
  id: Id,
  price: Price,
  quantity: Type.Optional(Count),
  created: Type.Optional(Seconds),
  current_period_start: Seconds,
  current_period_end: Seconds,
  /** They apply before those of the subscription. */
  discounts: Discounts,
})

export type Item = Static<typeof Item>

const Pause = Type.Object({ paused: Type.Optional(nullable(Type.Object({ transitioned_at: Seconds }))) })

export const Subscription = Type.Object({
  id: Id,
  status: Word,
  livemode: Type.Boolean(),
  customer: Reference,
  metadata: Metadata,
  start_date: Seconds,
  cancel_at: nullable(Seconds),
  cancel_at_period_end: Type.Boolean(),
  cancellation_details: nullable(Type.Object({ reason: nullable(Word) })),
  ended_at: nullable(Seconds),
  /** Since 2025-03-31.basil the dates of the period are members of the items. */
  items: listOf(Item, 1),
  /** Expanded, it shows why an unpaid invoice was made. */
  latest_invoice: nullable(
    Type.Union([Id, Type.Object({ id: Id, status: nullable(Word), billing_reason: nullable(Word) })]),
  ),
  discounts: Discounts,
  /** Its next phase says what the subscription will be. */
  schedule: Type.Optional(nullable(Reference)),
  pause_collection: nullable(Type.Object({ resumes_at: nullable(Seconds) })),
  status_details: Type.Optional(nullable(Pause)),
  trial_start: nullable(Seconds),
  trial_end: nullable(Seconds),
})
export type Subscription = Static<typeof Subscription>

const Phase = Type.Object({
  start_date: Seconds,
  end_date: nullable(Seconds),
  items: Type.Array(Type.Object({ price: Type.Union([Id, Price]) }), { maxItems: 100 }),
})

export const Schedule = Type.Object({
  id: Id,
  status: Word,
  current_phase: nullable(Type.Object({ start_date: Seconds, end_date: Seconds })),
  phases: Type.Array(Phase, { maxItems: 100 }),
})
export type Schedule = Static<typeof Schedule>

/** Of a proration: the lines that it credits; null when it charges. */
const Credited = nullable(Type.Object({ credited_items: nullable(Type.Object({})) }))
const ItemSource = Type.Object({ proration: Type.Boolean(), proration_details: Credited, subscription_item: Id })
const ExtraSource = Type.Object({ proration: Type.Boolean(), proration_details: Credited, invoice_item: Id })

export const InvoiceLine = Type.Object({
  id: Id,
  amount: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  quantity: nullable(Count),
  period: Type.Object({ start: Seconds, end: Seconds }),
  /** The source of the line. For a proration it is one of the two, depending on the subscription's billing mode. */
  parent: nullable(
    Type.Object({ subscription_item_details: nullable(ItemSource), invoice_item_details: nullable(ExtraSource) }),
  ),
  pricing: nullable(Type.Object({ price_details: Type.Optional(Type.Object({ price: Reference })) })),
})
export type InvoiceLine = Static<typeof InvoiceLine>

const ItemOwner = Type.Object({ subscription_item: Type.Optional(Id) })

/** What an extra line of an invoice was made of. One made by hand has no item of a subscription. */
export const InvoiceItem = Type.Object({
  id: Id,
  parent: nullable(Type.Object({ subscription_details: nullable(ItemOwner) })),
})
export type InvoiceItem = Static<typeof InvoiceItem>

/** A payment of an invoice. Since 2025-03-31.basil the charge is a member of the payment intent. */
const InvoicePayment = Type.Object({
  status: Word,
  payment: Type.Object({ charge: Type.Optional(Reference), payment_intent: Type.Optional(Reference) }),
})

/** The billing address of the customer. A country is two letters; another text names none. */
const Address = Type.Object({ country: Type.Optional(nullable(Word)) })
export type Address = Static<typeof Address>

export const Invoice = Type.Object({
  id: Id,
  status: nullable(Word),
  billing_reason: nullable(Word),
  amount_paid: Count,
  currency: Currency,
  created: Seconds,
  status_transitions: Type.Object({ paid_at: nullable(Seconds) }),
  /** The subscription of the invoice; `invoice.subscription` until 2025-03-31.basil. */
  parent: nullable(Type.Object({ subscription_details: nullable(Type.Object({ subscription: Reference })) })),
  livemode: Type.Optional(Type.Boolean()),
  customer: Type.Optional(nullable(Reference)),
  /** As it was when the invoice was made final. */
  customer_address: Type.Optional(nullable(Address)),
  metadata: Type.Optional(nullable(Metadata)),
  lines: listOf(InvoiceLine),
  payments: Type.Optional(listOf(InvoicePayment)),
})
export type Invoice = Static<typeof Invoice>

export const Charge = Type.Object({
  id: Id,
  amount: Count,
  amount_refunded: Count,
  currency: Currency,
  refunded: Type.Boolean(),
  payment_intent: nullable(Reference),
})
export type Charge = Static<typeof Charge>

export const Refund = Type.Object({
  id: Id,
  amount: Count,
  currency: Currency,
  created: Seconds,
  status: nullable(Word),
})
export type Refund = Static<typeof Refund>

const CreditedLine = Type.Object({
  amount: Count,
  discount_amount: Count,
  /** Absent for a line that the seller wrote. */
  invoice_line_item: Type.Optional(Id),
  taxes: nullable(Type.Array(Type.Object({ amount: Count, tax_behavior: Word }), { maxItems: 1000 })),
})

export const CreditNote = Type.Object({
  id: Id,
  status: Word,
  created: Seconds,
  lines: listOf(CreditedLine),
  /** The refunds that paid the note back. A note without one is a credit for later invoices. */
  refunds: Type.Array(Type.Object({ amount_refunded: Count, refund: nullable(Reference) }), { maxItems: 1000 }),
})
export type CreditNote = Static<typeof CreditNote>

/** The answer to a refund whose request asks for the charge. */
export const RefundAnswer = Type.Object({ charge: Type.Object({ ...Charge.properties, refunds: listOf(Refund, 1) }) })

export const Dispute = Type.Object({ id: Id, amount: Count, currency: Currency, status: Word, charge: Reference })
export type Dispute = Static<typeof Dispute>

export const PaymentIntent = Type.Object({
  id: Id,
  status: Word,
  livemode: Type.Boolean(),
  customer: nullable(Reference),
  metadata: Metadata,
  created: Seconds,
  amount_received: Count,
  currency: Currency,
  /** Expanded, it gives the date of the payment. */
  latest_charge: nullable(Type.Union([Id, Type.Object({ id: Id, created: Seconds })])),
})
export type PaymentIntent = Static<typeof PaymentIntent>

const SoldItem = Type.Object({
  id: Id,
  price: nullable(Named),
  quantity: nullable(Count),
  amount_total: Count,
})

export const Session = Type.Object({
  id: Id,
  mode: Word,
  payment_status: Word,
  livemode: Type.Boolean(),
  customer: nullable(Reference),
  metadata: nullable(Metadata),
  created: Seconds,
  amount_total: nullable(Count),
  currency: nullable(Currency),
  payment_intent: nullable(Reference),
  subscription: nullable(Reference),
  customer_details: Type.Optional(nullable(Type.Object({ address: Type.Optional(nullable(Address)) }))),
  line_items: Type.Optional(listOf(SoldItem)),
})
export type Session = Static<typeof Session>

type Reads<Shape, Object extends Shape> = [Shape, Object]
/**
 * Compiles only if the provider's own types at the pinned version have these members with these types.
 * @compiled
 */
export type ReadsOfTheProvider = [
  Reads<Subscription, Stripe.Subscription>,
  Reads<Schedule, Stripe.SubscriptionSchedule>,
  Reads<Invoice, Stripe.Invoice>,
  Reads<InvoiceItem, Stripe.InvoiceItem>,
  Reads<Charge, Stripe.Charge>,
  Reads<Refund, Stripe.Refund>,
  Reads<CreditNote, Stripe.CreditNote>,
  Reads<Dispute, Stripe.Dispute>,
  Reads<PaymentIntent, Stripe.PaymentIntent>,
  Reads<Session, Stripe.Checkout.Session>,
]

/** `field`: the name of the object and the first member that is missing, of a wrong type or out of range. */
export type Malformed = { ok: false; reason: 'malformed'; field: string }
export type Read<Shape> = { ok: true; value: Shape } | Malformed

export function readShape<Schema extends TSchema>(name: string, schema: Schema, object: unknown): Read<Static<Schema>> {
  if (Value.Check(schema, object)) return { ok: true, value: object }
  const member = Value.Errors(schema, object).First()?.path.slice(1).split('/')[0] || 'object'
  return { ok: false, reason: 'malformed', field: `${name}.${member}` }
}

export const readOptional = <Schema extends TSchema>(
  name: string,
  schema: Schema,
  object: unknown,
): Read<Static<Schema> | null> => (object === null ? { ok: true, value: null } : readShape(name, schema, object))

/** Reads each of several objects; the first malformed one is returned as the error. */
export function readEach<Schema extends TSchema>(
  name: string,
  schema: Schema,
  objects: readonly unknown[],
): Read<Static<Schema>[]> {
  const value: Static<Schema>[] = []
  for (const object of objects) {
    const read = readShape(name, schema, object)
    if (!read.ok) return read
    value.push(read.value)
  }
  return { ok: true, value }
}

export const idOf = (reference: Static<typeof Reference>): string =>
  typeof reference === 'string' ? reference : reference.id

/** The provider counts in seconds. */
export const toInstant = (seconds: number): number => seconds * SECOND
