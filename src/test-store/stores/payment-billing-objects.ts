import type Stripe from 'stripe'

// Objects of the provider at the pinned API version. The compiler checks that no member is missing. Members that no
// code here depends on are the same in all objects.

const listOf = <Item>(data: Item[], url: string): Stripe.ApiList<Item> => ({
  object: 'list',
  data,
  has_more: false,
  url,
})

type Members<Object, Names extends keyof Object> = Pick<Object, Names>

const PRICE = {
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: {},
  nickname: null,
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  unit_amount_decimal: null,
} as const

export type PriceMembers = Members<Stripe.Price, 'id' | 'created' | 'currency' | 'product' | 'unit_amount'> & {
  /** Null for a one-time product. */
  interval: 'day' | 'week' | 'month' | 'year' | null
  /** Absent = one. */
  intervalCount?: number
}

export const toPrice = ({ interval, intervalCount = 1, ...members }: PriceMembers) =>
  ({
    ...PRICE,
    ...members,
    type: interval === null ? 'one_time' : 'recurring',
    recurring: interval && {
      interval,
      interval_count: intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
  }) satisfies Stripe.Price

const toPlan = (price: Stripe.Price) =>
  ({
    id: price.id,
    object: 'plan',
    active: true,
    amount: price.unit_amount,
    amount_decimal: null,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: price.livemode,
    metadata: {},
    meter: null,
    nickname: null,
    product: typeof price.product === 'string' ? price.product : price.product.id,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }) satisfies Stripe.Plan

export type ItemMembers = Members<
  Stripe.SubscriptionItem,
  'id' | 'subscription' | 'price' | 'created' | 'current_period_start' | 'current_period_end'
>

export const toItem = (members: ItemMembers) =>
  ({
    ...members,
    object: 'subscription_item',
    billing_thresholds: null,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: toPlan(members.price),
    quantity: 1,
    tax_rates: [],
  }) satisfies Stripe.SubscriptionItem

const SUBSCRIPTION = {
  object: 'subscription',
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: null, type: 'classic' },
  billing_schedules: [],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_payment_method: null,
  default_source: null,
  description: null,
  discounts: [],
  ended_at: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_settings: null,
} satisfies Partial<Stripe.Subscription>

export type SubscriptionMembers = Members<
  Stripe.Subscription,
  'id' | 'created' | 'currency' | 'customer' | 'latest_invoice' | 'metadata' | 'status' | 'trial_start' | 'trial_end'
> & { items: Stripe.SubscriptionItem[] }

export const toSubscription = ({ items, ...members }: SubscriptionMembers): Stripe.Subscription =>
  ({
    ...structuredClone(SUBSCRIPTION),
    ...members,
    billing_cycle_anchor: members.trial_end ?? members.created,
    start_date: members.created,
    items: listOf(items, `/v1/subscription_items?subscription=${members.id}`),
  }) satisfies Stripe.Subscription

type ScheduleMembers = Members<Stripe.SubscriptionSchedule, 'id' | 'created' | 'customer' | 'subscription'> & {
  /** Ascending: the running phase first. */
  phases: { start: number; end: number; priceId: string; currency: string }[]
}

/** A schedule in its first phase, which ends with its last one. */
export const toSchedule = ({ phases, ...members }: ScheduleMembers): Stripe.SubscriptionSchedule =>
  ({
    ...members,
    ...structuredClone(SCHEDULE),
    current_phase: { start_date: phases[0]?.start ?? 0, end_date: phases[0]?.end ?? 0 },
    phases: phases.map(({ start, end, priceId, currency }) => ({
      ...structuredClone(PHASE),
      currency,
      start_date: start,
      end_date: end,
      items: [{ billing_thresholds: null, discounts: [], metadata: null, plan: priceId, price: priceId, quantity: 1 }],
    })),
  }) satisfies Stripe.SubscriptionSchedule

const SCHEDULE = {
  object: 'subscription_schedule',
  application: null,
  billing_mode: { flexible: null, type: 'classic' },
  canceled_at: null,
  completed_at: null,
  customer_account: null,
  default_settings: {
    application_fee_percent: null,
    billing_cycle_anchor: 'automatic',
    billing_thresholds: null,
    collection_method: null,
    default_payment_method: null,
    description: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      days_until_due: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    on_behalf_of: null,
    transfer_data: null,
  },
  end_behavior: 'release',
  livemode: false,
  metadata: null,
  pause_schedules: [],
  released_at: null,
  released_subscription: null,
  status: 'active',
  test_clock: null,
} satisfies Partial<Stripe.SubscriptionSchedule>

const PHASE = {
  add_invoice_items: [],
  application_fee_percent: null,
  billing_cycle_anchor: null,
  billing_thresholds: null,
  collection_method: null,
  default_payment_method: null,
  description: null,
  discounts: [],
  invoice_settings: null,
  metadata: null,
  on_behalf_of: null,
  proration_behavior: 'create_prorations',
  transfer_data: null,
  trial_end: null,
} satisfies Partial<Stripe.SubscriptionSchedule.Phase>

type Sold = Members<Stripe.Subscription, 'id' | 'customer' | 'currency' | 'livemode' | 'metadata'> &
  Partial<Pick<Stripe.Subscription, 'billing_mode'>>

export type LineMembers = Members<Stripe.InvoiceLineItem, 'id' | 'amount' | 'currency' | 'period'> & {
  subscription: Sold
  priceId: string
  isProration: boolean
  /** The id of the item that the line is for. */
  item: string
  quantity: number
  /** The invoice of the old price, when the line is the credit for it. */
  credits?: string
}

/** A line for an item of the subscription. In classic billing a proration is an invoice item. */
export const toLine = ({
  subscription,
  priceId,
  isProration,
  item,
  quantity,
  credits,
  ...members
}: LineMembers): Stripe.InvoiceLineItem =>
  ({
    ...members,
    object: 'line_item',
    description: null,
    discount_amounts: [],
    discountable: !isProration,
    discounts: [],
    invoice: null,
    livemode: subscription.livemode,
    metadata: subscription.metadata,
    parent: parentOf(subscription, isProration, members.id, item, credits),
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: priceId, product: `prod_${priceId}` },
      unit_amount_decimal: null,
    },
    quantity,
    quantity_decimal: null,
    subscription: subscription.id,
    subtotal: members.amount,
    taxes: [],
  }) satisfies Stripe.InvoiceLineItem

function parentOf(
  subscription: Sold,
  isProration: boolean,
  id: string,
  subscription_item: string,
  credits?: string,
): Stripe.InvoiceLineItem.Parent {
  const credited_items = credits === undefined ? null : { invoice: credits, invoice_line_items: [] }
  const shared = { proration: isProration, proration_details: { credited_items }, subscription: subscription.id }
  // Only flexible billing names the item of a proration.
  return isProration && subscription.billing_mode?.type !== 'flexible'
    ? {
        type: 'invoice_item_details',
        invoice_item_details: { ...shared, invoice_item: `ii_${id}` },
        subscription_item_details: null,
      }
    : {
        type: 'subscription_item_details',
        invoice_item_details: null,
        subscription_item_details: { ...shared, invoice_item: null, subscription_item },
      }
}

const INVOICE = {
  object: 'invoice',
  account_country: 'US',
  account_name: 'Simulator',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  attempt_count: 0,
  attempted: false,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_email: null,
  customer_name: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  effective_at: null,
  ending_balance: null,
  footer: null,
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  subtotal_excluding_tax: null,
  test_clock: null,
  total_discount_amounts: [],
  total_excluding_tax: null,
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
} satisfies Partial<Stripe.Invoice>

export interface InvoiceMembers extends Members<Stripe.Invoice, 'id' | 'created' | 'billing_reason' | 'status'> {
  subscription: Sold
  lines: Stripe.InvoiceLineItem[]
}

/** A draft or open invoice. A total below zero goes to the customer's balance, so nothing is due. */
export function toInvoice({ subscription, lines, ...members }: InvoiceMembers): Stripe.Invoice {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  const due = Math.max(0, total)
  const details = { metadata: subscription.metadata, subscription: subscription.id }
  return {
    ...structuredClone(INVOICE),
    ...members,
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    currency: subscription.currency,
    customer: subscription.customer,
    lines: listOf(lines, `/v1/invoices/${members.id}/lines`),
    livemode: subscription.livemode,
    parent: { type: 'subscription_details', quote_details: null, subscription_details: details },
    period_end: members.created,
    period_start: members.created,
    subtotal: total,
    total,
  } satisfies Stripe.Invoice
}

export const toInvoicePayment = (invoice: Stripe.Invoice, paymentIntent: string, paidAt: number) =>
  ({
    id: `inpay_${invoice.id}`,
    object: 'invoice_payment',
    amount_paid: invoice.amount_paid,
    amount_requested: invoice.amount_due,
    created: paidAt,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: invoice.livemode,
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: paidAt },
  }) satisfies Stripe.InvoicePayment
