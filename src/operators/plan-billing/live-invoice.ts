import type Stripe from 'stripe'
import { SECOND } from '../../base/lib/clock'
import type { Money } from '../../base/lib/money'
import { withAllLines } from '../../stores/payment/client'
import { fromSmallestUnit, smallestUnit } from '../../stores/payment/currency'
import { received, receivedList, UnreadableAnswer } from '../../stores/payment/received'
import type { BilledInvoice } from './provider'

const PAGE = 100

interface InvoiceQuery {
  customer: string
  until: number | null
  most: number
}

/** See `BillingProvider.listInvoices`. */
export async function listInvoices(stripe: Stripe, { customer, until, most }: InvoiceQuery): Promise<BilledInvoice[]> {
  const all: BilledInvoice[] = []
  const created = until === null ? {} : { created: { lte: Math.floor(until / SECOND) } }
  for (let after: { starting_after?: string } = {}; ; ) {
    const page = receivedList(await stripe.invoices.list({ customer, limit: PAGE, ...created, ...after }), 'invoice')
    all.push(...page.data.map(toBilledInvoice))
    const [last, border] = [all.at(-1), all[most - 1]]
    if (!page.has_more || !last || (border && last.createdAt < border.createdAt)) return all
    after = { starting_after: last.id }
  }
}

export async function hasUnpaid(stripe: Stripe, customer: string): Promise<boolean> {
  for (const status of ['open', 'draft'] as const)
    if (receivedList(await stripe.invoices.list({ customer, status, limit: 1 }), 'invoice').data.length > 0) return true
  return false
}

export async function findInvoice(stripe: Stripe, id: string): Promise<BilledInvoice> {
  return toBilledInvoice(await withAllLines(stripe, received(await stripe.invoices.retrieve(id), 'invoice', id)))
}

/**
 * The invoice of the running period is made final, so that it can be paid. Drafts of earlier periods are deleted: the
 * project was paused then.
 */
export async function finaliseNewest(stripe: Stripe, subscription: string): Promise<void> {
  const drafts = await stripe.invoices.list({ subscription, status: 'draft', limit: PAGE })
  const [newest, ...older] = receivedList(drafts, 'invoice').data
  for (const { id } of older) await stripe.invoices.del(id)
  if (newest) received(await stripe.invoices.finalizeInvoice(newest.id, { auto_advance: false }), 'invoice', newest.id)
}

/**
 * An amount of the provider's smallest unit as decimals of the currency: 2900 usd is `29.00`. Every whole number is exact;
 * another amount, or none, is an answer that cannot be read.
 */
function decimalOf(amount: number, currency: string, field: string): string {
  if (!Number.isSafeInteger(amount)) throw new UnreadableAnswer(field)
  const digits = 6 - Math.log10(smallestUnit(currency.toUpperCase()))
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`
}

/** An amount that is not whole, or whose millionths are no exact number, is an answer that cannot be read. */
export function toDue({ amount_due, currency }: Stripe.Invoice): Money {
  const due = Number.isSafeInteger(amount_due) ? fromSmallestUnit(amount_due, currency) : null
  if (!due) throw new UnreadableAnswer('invoice.amount_due')
  return due
}

const STATUSES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

const toBilledInvoice = (one: Stripe.Invoice): BilledInvoice => ({
  id: one.id,
  customerId: typeof one.customer === 'string' ? one.customer : (one.customer?.id ?? ''),
  number: one.number,
  status: STATUSES.find((status) => status === one.status) ?? 'draft',
  total: decimalOf(one.total, one.currency, 'invoice.total'),
  currency: one.currency,
  pdfUrl: one.invoice_pdf ?? null,
  createdAt: one.created * SECOND,
  periodStart: Math.min(...one.lines.data.map(({ period }) => period.start), one.created) * SECOND,
  lines: one.lines.data.map(({ description, quantity, amount, currency }) => ({
    ...{ text: description ?? '', quantity: quantity ?? 1, amount: decimalOf(amount, currency, 'line_item.amount') },
  })),
})
