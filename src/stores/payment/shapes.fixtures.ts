import type { Invoice, InvoiceLine, Subscription } from './shapes'

const DAY = 86_400
/** In seconds, the provider's unit. */
export const FROM = Date.UTC(2026, 10, 20, 8) / 1000
export const dayOf = (count: number): number => FROM + count * DAY

/** A monthly subscription in its first period. */
export const subscription: Subscription = {
  id: 'sub_1',
  status: 'active',
  livemode: false,
  customer: 'cus_1',
  metadata: {},
  start_date: FROM,
  cancel_at: null,
  cancel_at_period_end: false,
  cancellation_details: null,
  ended_at: null,
  items: {
    data: [
      { id: 'si_1', price: { id: 'price_1' }, quantity: 1, current_period_start: FROM, current_period_end: dayOf(30) },
    ],
  },
  latest_invoice: null,
  pause_collection: null,
  trial_start: null,
  trial_end: null,
}
export const onTrial = { ...subscription, trial_start: FROM, trial_end: dayOf(7) }

interface LineMembers {
  price?: string
  item?: string
  amount?: number
  from?: number
  to?: number
  isProration?: boolean
  isCredit?: boolean
}

/** A line of the subscription's first item; days are counted from the start. */
export function line({
  price = 'price_1',
  item = 'si_1',
  amount = 999,
  from = 0,
  to = 30,
  ...members
}: LineMembers = {}): InvoiceLine {
  const credited_items = members.isCredit ? { invoice: 'in_0', invoice_line_items: ['il_0'] } : null
  const details = { proration: members.isProration ?? members.isCredit ?? false, proration_details: { credited_items } }
  return {
    id: 'il_1',
    amount,
    quantity: 1,
    period: { start: dayOf(from), end: dayOf(to) },
    parent: { subscription_item_details: { ...details, subscription_item: item }, invoice_item_details: null },
    pricing: { price_details: { price } },
  }
}

/** The form of a proration in classic billing: without the item. */
export function classic(made: InvoiceLine, invoiceItem = 'ii_1'): InvoiceLine {
  const { proration = false, proration_details = null } = made.parent?.subscription_item_details ?? {}
  const details = { proration, proration_details, invoice_item: invoiceItem }
  return { ...made, parent: { subscription_item_details: null, invoice_item_details: details } }
}

/** A paid invoice of the subscription. */
export const invoice = (lines: InvoiceLine[], members: Partial<Invoice> = {}): Invoice => ({
  id: 'in_1',
  status: 'paid',
  billing_reason: 'subscription_create',
  amount_paid: 999,
  currency: 'usd',
  created: FROM,
  status_transitions: { paid_at: FROM + 1 },
  parent: { subscription_details: { subscription: 'sub_1' } },
  lines: { data: lines },
  ...members,
})
