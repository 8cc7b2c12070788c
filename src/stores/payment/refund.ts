import type { Marker } from '../observation'
import type { PaymentClient, RefundOrder } from './client'
import type { ProviderFailure } from './provider'
import { refundMarkers } from './returns'
import { Invoice, idOf, type Malformed, RefundAnswer, readShape } from './shapes'

/** The transaction to refund. All that remains of it is refunded. */
export interface TransactionRefund {
  /** The provider's id of it: an invoice, else a payment intent. */
  storeTransactionId: string
  isSubscription: boolean
  /** Our ids. They make repeated orders one refund. */
  purchaseId: string
  transactionId: string
  now: number
}

/** `no_payment`: nothing was charged for the transaction. */
export type RefundResult =
  | { ok: true; markers: Marker[] }
  | ProviderFailure
  | Malformed
  | { ok: false; reason: 'no_payment' }

type RefundClient = Pick<PaymentClient, 'getInvoice' | 'refundCharge'>

/**
 * Refunds a transaction at the provider and returns its markers. The provider's events about it will give the same
 * markers again.
 */
export async function refundTransaction(client: RefundClient, order: TransactionRefund): Promise<RefundResult> {
  const payment = await findPayment(client, order)
  if (!payment.ok) return payment
  const { purchaseId, transactionId } = order
  const refund = await client.refundCharge({ payment: payment.reference, purchaseId, transactionId })
  return refund.ok ? { ok: true, markers: markersOf(refund.value, order, payment.amount) } : refund
}

type Payment = { ok: true; reference: RefundOrder['payment']; amount: number | null }
type NoPayment = Exclude<RefundResult, { ok: true }>

async function findPayment(client: RefundClient, order: TransactionRefund): Promise<Payment | NoPayment> {
  const { storeTransactionId, isSubscription } = order
  const isBilled = isSubscription || storeTransactionId.startsWith('in_')
  if (!isBilled) return { ok: true, reference: { payment_intent: storeTransactionId }, amount: null }
  const answer = await client.getInvoice(storeTransactionId)
  if (!answer.ok) return answer
  const invoice = readShape('invoice', Invoice, answer.value)
  if (!invoice.ok) return invoice
  const reference = paymentOf(invoice.value)
  return reference ? { ok: true, reference, amount: invoice.value.amount_paid } : { ok: false, reason: 'no_payment' }
}

function paymentOf({ payments }: Invoice): RefundOrder['payment'] | null {
  const paid = payments?.data.find(({ status }) => status === 'paid')?.payment
  if (paid?.payment_intent !== undefined) return { payment_intent: idOf(paid.payment_intent) }
  return paid?.charge === undefined ? null : { charge: idOf(paid.charge) }
}

/** The money is already on its way back, so the marker must exist even when the answer cannot be read. */
function markersOf(answer: object, order: TransactionRefund, amountPaid: number | null): Marker[] {
  const { storeTransactionId: transactionId, now: eventAt } = order
  const read = readShape('refund', RefundAnswer, answer)
  if (!read.ok) return [{ kind: 'REFUND', id: `refund:${transactionId}`, eventAt, transactionId, amount: null }]
  const { charge } = read.value
  const isWhole = amountPaid === null || charge.amount >= amountPaid
  return refundMarkers({ charge, transactionId, isWhole, eventAt }, charge.refunds.data)
}
