import type Stripe from 'stripe'
import { SECOND } from '../../base/lib/clock'
import type { Money } from '../../base/lib/money'
import { toDecimal } from '../../core/money/money'
import { fromSmallestUnit, smallestUnit } from '../../stores/payment/currency'
import type { BilledInvoice } from './provider'

/** An amount of the provider's smallest unit as decimals of the currency: 2900 usd is `29.00`. */
function decimalOf(amount: number, currency: string): string {
  const code = currency.toUpperCase()
  const digits = 6 - Math.log10(smallestUnit(code))
  return toDecimal(fromSmallestUnit(amount, code)?.amountMicros ?? 0, digits)
}

export const toDue = ({ amount_due, currency }: Stripe.Invoice): Money =>
  fromSmallestUnit(amount_due, currency) ?? { amountMicros: 0, currency: currency.toUpperCase() }

const STATUSES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

export const toBilledInvoice = (one: Stripe.Invoice): BilledInvoice => ({
  id: one.id ?? '',
  customerId: typeof one.customer === 'string' ? one.customer : (one.customer?.id ?? ''),
  number: one.number,
  status: STATUSES.find((status) => status === one.status) ?? 'draft',
  total: decimalOf(one.total, one.currency),
  currency: one.currency,
  pdfUrl: one.invoice_pdf ?? null,
  createdAt: one.created * SECOND,
  periodStart: Math.min(...one.lines.data.map(({ period }) => period.start), one.created) * SECOND,
  lines: one.lines.data.map(({ description, quantity, amount, currency }) => ({
    ...{ text: description ?? '', quantity: quantity ?? 1, amount: decimalOf(amount, currency) },
  })),
})
