import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { PaymentClient } from '../../stores/payment/client'
import { readEvent } from '../../stores/payment/event'
import type { ProviderFailure } from '../../stores/payment/provider'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import {
  type FetchedHistory,
  type FetchOptions,
  type HistoryPage,
  type ListedNotification,
  type Span,
  walkHistory,
} from '../inbox/history'
import { type HistoryOrder, toSpan } from '../inbox/history-span'
import { type TakenIn, takeIn } from '../inbox/inbox'
import { prepareEvent, toArrival } from './notification'

/** How far back the provider keeps events. */
const HISTORY_MS = 30 * DAY

export type EventsOrder = Omit<HistoryOrder, 'environment'>

/**
 * Fetches the events of the project's account and processes those that are missing here. They are fetched with the
 * project's own key, so they need no signature. Safe to repeat. A fault of the provider or of the database does not
 * throw: it is the `stopped` of the report.
 */
export async function fetchPaymentHistory(
  ctx: Context,
  project: ProjectState,
  order: EventsOrder,
  options: FetchOptions = {},
): Promise<FetchedHistory> {
  const client = await paymentClient(ctx, project)
  if (!client) throw new AppError('STORE_NOT_CONFIGURED', undefined, { message: 'Save stores.payment first' })
  const span = toSpan(order, HISTORY_MS, ctx.clock.now())
  const read = (page: string | null) => readPage(ctx, project, client, span, page)
  return walkHistory(ctx, { ...span, projectId: project.id, store: 'PAYMENT', page: order.page ?? null, read }, options)
}

async function readPage(
  ctx: Context,
  project: ProjectState,
  client: PaymentClient,
  span: Span,
  page: string | null,
): Promise<HistoryPage> {
  const result = await client.listEvents(span, page)
  if (!result.ok) return { ok: false, reason: reasonOf(result) }
  const { events, next } = result.value
  return { ok: true, items: events.map((event) => toListed(ctx, project, event)), next }
}

function toListed(ctx: Context, project: ProjectState, listed: object): ListedNotification {
  // The provider may omit the account from an event that is fetched for this account. A replay needs it in the body.
  const accountId = project.payment?.accountId ?? null
  const event = accountId === null || 'account' in listed ? listed : { ...listed, account: accountId }
  return { id: readEvent(event)?.id ?? null, take: () => takeEvent(ctx, project, event) }
}

async function takeEvent(ctx: Context, project: ProjectState, listed: object): Promise<TakenIn> {
  const event = readEvent(listed)
  if (!event) throw invalid('It is no event of the provider')
  // The test store delivers its events itself. Its ids must not come from the provider, because they are checked less.
  if (isSimulatedPayment(event.id)) throw invalid('The provider speaks in the name of the test store')
  return takeIn(ctx, toArrival(project.id, event, JSON.stringify(listed)), () => prepareEvent(ctx, project, event))
}

function reasonOf(failure: ProviderFailure): string {
  if (failure.reason === 'unavailable') return 'The payment provider does not answer'
  if (failure.reason === 'malformed') return `The payment provider's answer is unreadable at ${failure.field}`
  const { status, providerErrorCode } = failure
  if (status === 401 || status === 403)
    return 'The payment provider refused the key; save a valid one in stores.payment'
  return `The payment provider refused (${status} ${providerErrorCode ?? ''})`.replace(' )', ')')
}
