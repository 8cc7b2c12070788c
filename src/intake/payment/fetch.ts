import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { reasonText } from '../../core/reason/reasons'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { PaymentClient } from '../../stores/payment/client'
import { type DecodedPayment, decodePayment } from '../../stores/payment/decode'
import { idOfSubject, type Subject } from '../../stores/payment/event'
import { gatherFacts } from '../../stores/payment/gather'
import type { ProviderFailure } from '../../stores/payment/provider'
import type { Malformed } from '../../stores/payment/shapes'
import type { ReportSource } from '../../stores/payment/subscription'

/** What to fetch from the provider, and the event that is the reason. */
export interface PaymentOrder {
  subject: Subject
  /** The time of the event, for refunds and disputes; without an event that of the call. */
  eventAt: number
}

/** `unknown`: the provider has no such object for this key. */
export type PaymentUpdate =
  | { kind: 'found'; purchase: DecodedPayment }
  | { kind: 'idle'; reason: string }
  | { kind: 'unknown' }

/** Fetches the object of an event from the provider, outside of any transaction; 503 `STORE_UNAVAILABLE`. */
export async function fetchPayment(ctx: Context, project: ProjectState, order: PaymentOrder): Promise<PaymentUpdate> {
  const gathered = await gatherFacts(await requireClient(ctx, project, order.subject), order.subject)
  if (!gathered.ok && isUnknown(gathered)) return { kind: 'unknown' }
  if (!gathered.ok) throw storeFault(gathered)
  if (!gathered.facts) return { kind: 'idle', reason: reasonText('NOT_A_SALE') }
  const decoded = decodePayment(gathered.facts, sourceOf(ctx, project, order.eventAt))
  if (decoded.ok) return { kind: 'found', purchase: decoded.purchase }
  if (decoded.reason === 'malformed') throw storeFault(decoded)
  return { kind: 'idle', reason: IDLE[decoded.why] }
}

export const sourceOf = (ctx: Context, { settings }: ProjectState, eventAt: number): ReportSource => {
  const { providerGraceDays, pausedCollection } = settings
  return { fetchedAt: ctx.clock.now(), eventAt, providerGraceDays, pausedCollection }
}

const IDLE = { unpaid: reasonText('NOTHING_PAID'), no_product: reasonText('NO_PRICE') }

async function requireClient(ctx: Context, project: ProjectState, subject: Subject): Promise<PaymentClient> {
  const client = await paymentClient(ctx, project, idOfSubject(subject))
  if (client) return client
  // 503, so that the provider sends the event again. The project may have a key again by then.
  throw new AppError('STORE_UNAVAILABLE', undefined, { cause: new Error('The project has no payment account') })
}

const isUnknown = (failure: ProviderFailure | Malformed): boolean =>
  failure.reason === 'rejected' && failure.status === 404

/** Always 503: then the provider sends the event again, and the fault may be repaired by then. */
const storeFault = (failure: ProviderFailure | Malformed): AppError =>
  new AppError('STORE_UNAVAILABLE', undefined, {
    cause: new Error(`The payment provider: ${describeFault(failure)}`),
  })

/** Describes a failure for the log and the inbox. */
export function describeFault(failure: ProviderFailure | Malformed): string {
  if (failure.reason === 'malformed') return `unreadable at ${failure.field}`
  if (failure.reason === 'rejected')
    return `rejected (${failure.status} ${failure.providerErrorCode ?? ''} ${failure.providerRequestId ?? ''})`
  const { cause } = failure
  return `unavailable (${cause instanceof Error ? cause.name : String(cause)})`
}
