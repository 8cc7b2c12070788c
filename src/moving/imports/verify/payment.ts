import { SECOND } from '../../../base/lib/clock'
import { reasonText } from '../../../core/reason/reasons'
import { describeFault, sourceOf } from '../../../intake/payment/fetch'
import { environmentOf } from '../../../intake/payment/report'
import { paymentClient } from '../../../projects/connections/payment-store'
import { type DecodedPayment, decodePayment } from '../../../stores/payment/decode'
import type { Subject } from '../../../stores/payment/event'
import { type GatherResult, gatherFacts } from '../../../stores/payment/gather'
import type { AnchorRow, Answer, Run } from './model'
import { recordSale } from './payment-record'
import { paymentReader } from './readers'

/** Asks the payment provider about a subscription or a payment. */
export async function askPayment(run: Run, anchor: AnchorRow): Promise<Answer> {
  const { proof } = anchor
  const subject = proof.kind === 'PROVIDER' ? subjectOf(proof.id) : null
  if (proof.kind !== 'PROVIDER' || !subject)
    return { kind: 'UNVERIFIABLE', why: 'it is no id of a subscription or a payment' }
  const { ctx, project } = run
  const client = await paymentClient(ctx, project, proof.id)
  if (!client) return { kind: 'UNVERIFIABLE', why: 'the project has no payment account' }
  const gathered = await gatherFacts(paymentReader(client, run.meter), subject)
  if (!gathered.ok) return refusalOf(gathered)
  if (!gathered.facts) return { kind: 'UNRECOGNISED', why: 'it is not about a sale' }
  const decoded = decodePayment(gathered.facts, sourceOf(ctx, project, ctx.clock.now()))
  if (decoded.ok && decoded.purchase.lines.every(({ storeProductId }) => storeProductId === ''))
    return { kind: 'UNRECOGNISED', why: 'it names no price' }
  if (decoded.ok) return found(run, anchor, decoded.purchase)
  if (decoded.reason === 'malformed') return refusalOf(decoded)
  return { kind: 'UNRECOGNISED', why: decoded.why === 'unpaid' ? 'nothing is paid yet' : 'it names no price' }
}

function subjectOf(id: string): Subject | null {
  switch (/^(sub|pi|cs|in|ch)_[A-Za-z0-9_]{1,250}$/.exec(id)?.[1]) {
    case 'sub':
      return { kind: 'SUBSCRIPTION', subscriptionId: id }
    case 'pi':
      return { kind: 'HELD_PAYMENT', paymentIntentId: id }
    case 'cs':
      return { kind: 'SESSION', sessionId: id }
    case 'in':
      return { kind: 'INVOICE', invoiceId: id }
    case 'ch':
      return { kind: 'CHARGE', chargeId: id, dispute: null }
    default:
      return null
  }
}

function refusalOf(failure: Exclude<GatherResult, { ok: true }>): Answer {
  if (failure.reason === 'unavailable') return awayOf(failure.cause)
  const why = reasonText('PROVIDER_ANSWERED', { words: describeFault(failure) })
  if (failure.reason === 'malformed') return { kind: 'UNREADABLE', why }
  if (failure.status === 404) return { kind: 'UNRECOGNISED', why: 'the payment provider does not know it' }
  if (failure.status === 401 || failure.status === 403)
    return { kind: 'REFUSED', why: reasonText('PROVIDER_REFUSED_KEY', { httpStatus: String(failure.status) }) }
  return { kind: 'UNREADABLE', why }
}

/** The members that the provider's library sets on the error for an answer. */
interface Thrown {
  statusCode?: unknown
  headers?: Record<string, string>
}

function awayOf(cause: unknown): Answer {
  const { statusCode, headers }: Thrown = typeof cause === 'object' && cause !== null ? cause : {}
  const seconds = Number(headers?.['retry-after'])
  const retryAfterMs = Number.isInteger(seconds) && seconds > 0 ? seconds * SECOND : null
  const isLimit = statusCode === 429 || cause === 'circuit open'
  return { kind: 'AWAY', why: 'the payment provider did not answer', isLimit, retryAfterMs }
}

function found(run: Run, anchor: AnchorRow, payment: DecodedPayment): Answer {
  if (payment.environment !== environmentOf(run.project, payment.chainKey))
    return { kind: 'UNVERIFIABLE', why: 'it is of the mode in which this project does not sell' }
  return { kind: 'FOUND', record: (tx, person) => recordSale(tx, run, anchor, payment, person) }
}
