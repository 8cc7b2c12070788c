import type Stripe from 'stripe'
import { chargeOfInvoice, refundCharge } from './payment-returns'
import { getFrom, type PaymentWorld } from './payment-world'

/** What a credit note credits of a line of its invoice, in the smallest unit. */
export interface Credit {
  lineId: string
  amount: number
}

/**
 * Credits lines of a paid invoice and refunds as much; a `refundAmount` that is less leaves the rest as a credit for later
 * invoices.
 */
export function creditLines(
  world: PaymentWorld,
  invoiceId: string,
  credits: readonly Credit[],
  refundAmount: number | null = null,
): Stripe.CreditNote {
  const invoice = getFrom(world.invoices, invoiceId)
  const total = credits.reduce((sum, { amount }) => sum + amount, 0)
  const id = world.nextId('cn')
  const lines = credits.map((credit) => toCredit(world.nextId('cnli'), credit))
  const note = toCreditNote({ id, created: world.now, invoice, lines, total })
  world.creditNotes.set(id, note)
  const refund = refundCharge(world, chargeOfInvoice(world, invoiceId), refundAmount ?? total)
  const linked = { amount_refunded: refund.amount, payment_record_refund: null, refund: refund.id, type: 'refund' }
  note.refunds = [linked]
  world.emit('credit_note.created', note)
  return note
}

const toCredit = (id: string, { lineId, amount }: Credit) =>
  ({
    id,
    object: 'credit_note_line_item',
    amount,
    description: null,
    discount_amount: 0,
    discount_amounts: [],
    invoice_line_item: lineId,
    livemode: false,
    metadata: null,
    pretax_credit_amounts: [],
    quantity: 1,
    tax_rates: [],
    taxes: [],
    type: 'invoice_line_item',
    unit_amount: amount,
    unit_amount_decimal: null,
  }) satisfies Stripe.CreditNoteLineItem

interface NoteMembers extends Pick<Stripe.CreditNote, 'id' | 'created'> {
  invoice: Stripe.Invoice
  lines: Stripe.CreditNoteLineItem[]
  total: number
}

const toCreditNote = ({ invoice, lines, total, ...members }: NoteMembers): Stripe.CreditNote =>
  ({
    ...members,
    object: 'credit_note',
    amount: total,
    amount_shipping: 0,
    currency: invoice.currency,
    customer: typeof invoice.customer === 'string' ? invoice.customer : '',
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: members.created,
    invoice: invoice.id,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/credit_notes/${members.id}/lines` },
    livemode: invoice.livemode,
    memo: null,
    metadata: {},
    number: `CN-${members.id}`,
    out_of_band_amount: null,
    pdf: `https://pay.simulated.example/credit_notes/${members.id}/pdf`,
    post_payment_amount: total,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason: null,
    refunds: [],
    shipping_cost: null,
    status: 'issued',
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    total_taxes: [],
    type: 'post_payment',
    voided_at: null,
  }) satisfies Stripe.CreditNote
