import type Stripe from 'stripe'
import { toSmallestUnit } from '../../stores/payment/currency'
import type { SimulatedTerms, TurnOrder } from './life'
import { addPrice, itemOf } from './payment-billing'
import { creditLines } from './payment-credit-notes'
import { addCredit, addItem, removeItem, schedulePrice, setQuantity } from './payment-items'
import { type PaymentLife, priceOf } from './payment-life'
import { chargeOfInvoice } from './payment-returns'
import { getFrom, type PaymentWorld } from './payment-world'

// Turns that are about the items of a subscription, and what pays for them. Each returns why it is refused, else null.

export interface Taking {
  life: PaymentLife
  world: PaymentWorld
  id: string
  status: string
  order: TurnOrder
}

const INACTIVE = 'Only an active subscription can be changed.'
const NO_PRODUCT = 'Name the product with --to.'

export function joinItem({ world, id, status, order: { to } }: Taking): string | null {
  if (status !== 'active') return INACTIVE
  if (!to) return NO_PRODUCT
  const why = reasonAgainstNew(world, id, to)
  if (why !== null) return why
  addItem(world, id, priceIn(world, to))
  return null
}

export function leaveItem({ world, id, order: { item } }: Taking): string | null {
  const { data } = getFrom(world.subscriptions, id).items
  const found = data.find(({ price }) => price.id === item)
  if (!found) return `It has no product ${item ?? ''}, or not any more. ${contentOf(data)}`
  if (data.length < 2) return 'It has no other product; end it with: svc simulate cancel'
  removeItem(world, id, found.id)
  return null
}

export function changeSeats({ world, id, status, order: { item, quantity } }: Taking): string | null {
  if (status !== 'active') return INACTIVE
  const subscription = getFrom(world.subscriptions, id)
  const found = item ? subscription.items.data.find(({ price }) => price.id === item) : itemOf(subscription)
  if (!found) return `It has no product ${item ?? ''}, or not any more. ${contentOf(subscription.items.data)}`
  if (!quantity) return 'Name the number of seats.'
  if (quantity === found.quantity) return 'It has that many seats already.'
  setQuantity(world, id, found.id, quantity)
  return null
}

export function announcePrice({ world, id, status, order: { to, item } }: Taking): string | null {
  if (status !== 'active' && status !== 'trialing') return INACTIVE
  if (!to) return NO_PRODUCT
  const subscription = getFrom(world.subscriptions, id)
  const first = itemOf(subscription).price.id
  if (item && item !== first) return `A schedule of the payment test store changes its first product, ${first}.`
  if (subscription.schedule) return 'Another product is scheduled already.'
  if (to.type !== 'SUBSCRIPTION') return 'That is no subscription.'
  if (subscription.items.data.some(({ price }) => price.id === to.productId)) return 'It has that product already.'
  schedulePrice(world, id, priceIn(world, to))
  return null
}

export function giveCredit({ life, world, id, order: { amountMicros } }: Taking): string | null {
  if (!amountMicros) return 'Name the amount of the balance.'
  addCredit(world, id, toSmallestUnit({ amountMicros, currency: life.terms.price.currency }))
  return null
}

/** A credit note returns what an item cost in the newest paid invoice that has it, or a part of that. */
export function refundItem({ life, world, id, order: { item, amountMicros } }: Taking): string | null {
  const { data } = getFrom(world.subscriptions, id).items
  const [invoice, line] = chargedLine(world, item ?? '') ?? []
  if (!invoice || !line) return `Nothing was charged for ${item ?? ''}. ${contentOf(data)}`
  const left = line.amount - creditedOf(world, line.id)
  const { currency } = life.terms.price
  const amount = amountMicros ? toSmallestUnit({ amountMicros, currency }) : left
  const charge = getFrom(world.charges, chargeOfInvoice(world, invoice.id))
  if (left === 0 || charge.amount === charge.amount_refunded) return 'It was given back already.'
  if (amount > Math.min(left, charge.amount - charge.amount_refunded)) return 'That is more than is left of the charge.'
  creditLines(world, invoice.id, [{ lineId: line.id, amount }])
  return null
}

function chargedLine(world: PaymentWorld, priceId: string): [Stripe.Invoice, Stripe.InvoiceLineItem] | null {
  const isOf = (line: Stripe.InvoiceLineItem) => line.amount > 0 && line.pricing?.price_details?.price === priceId
  for (const invoice of [...world.invoices.values()].reverse()) {
    const line = invoice.status === 'paid' && invoice.amount_paid > 0 ? invoice.lines.data.find(isOf) : undefined
    if (line) return [invoice, line]
  }
  return null
}

const creditedOf = (world: PaymentWorld, lineId: string): number =>
  [...world.creditNotes.values()]
    .flatMap(({ lines }) => lines.data)
    .reduce((sum, { amount, invoice_line_item: of }) => (of === lineId ? sum + amount : sum), 0)

function reasonAgainstNew(world: PaymentWorld, id: string, terms: SimulatedTerms): string | null {
  const { items, currency } = getFrom(world.subscriptions, id)
  if (terms.type !== 'SUBSCRIPTION') return 'That is no subscription.'
  if (items.data.some(({ price }) => price.id === terms.productId)) return 'It has that product already.'
  if (terms.price.currency.toLowerCase() !== currency) return 'Products that are bought together have one currency.'
  const { interval } = priceOf(terms)
  const isSame = items.data.every(({ price }) => price.recurring?.interval === interval)
  return isSame ? null : 'Products that are bought together have one period.'
}

function priceIn(world: PaymentWorld, terms: SimulatedTerms): string {
  if (!world.prices.has(terms.productId)) addPrice(world, priceOf(terms))
  return terms.productId
}

const contentOf = (items: readonly Stripe.SubscriptionItem[]): string =>
  `It has: ${items.map(({ price }) => price.id).join(', ')}.`
