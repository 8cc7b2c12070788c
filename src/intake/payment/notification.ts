import type { Context } from '../../base/context'
import { reasonText } from '../../core/reason/reasons'
import { causeOf } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import type { ProviderEvent } from '../../stores/payment/event'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import { type Apply, type Arrival, ignored, type Outcome, outcomeOf } from '../inbox/inbox'
import { fetchPayment } from './fetch'
import { watchSale } from './hooks'
import { recordPayment } from './record'

const STORE = 'PAYMENT'

export const toArrival = (
  projectId: string,
  { id, type, createdAt, isLive }: ProviderEvent,
  body: string,
): Arrival => ({
  projectId,
  store: STORE,
  notificationId: id,
  type,
  environment: isLive ? 'PRODUCTION' : 'SANDBOX',
  eventAt: createdAt,
  body,
})

/** Fetches the object of an event from the provider. The function returned records it. */
export async function prepareEvent(ctx: Context, project: ProjectState, event: ProviderEvent): Promise<Apply> {
  const { type, createdAt: eventAt, subject } = event
  if (subject === null) return settling(ignored(reasonText('SAYS_NOTHING')))
  const foreign = foreignReason(project, event)
  if (foreign !== null) return settling(ignored(foreign))
  const news = await fetchPayment(ctx, project, { subject, eventAt })
  if (news.kind === 'idle') return settling(ignored(news.reason))
  if (news.kind === 'unknown') return settling({ status: 'FAILED', error: UNKNOWN })
  const watched = await watchSale(ctx, project, news.purchase)
  if (watched && 'ignored' in watched) return settling(ignored(watched.ignored))
  return async (tx, storeEventId) => {
    const cause = causeOf('STORE_NOTIFICATION', storeEventId, STORE, type)
    const recording = await (watched ? watched.record(tx, cause) : recordPayment(tx, project, news.purchase, cause))
    return outcomeOf(recording, 'payment id')
  }
}

const settling =
  (outcome: Outcome): Apply =>
  async () =>
    outcome

const UNKNOWN = reasonText('UNKNOWN_BY_KEY')

/** Why an event is not about a sale of the project, so that it is ignored; null when it may be. */
function foreignReason({ payment }: ProjectState, { id, account, isLive }: ProviderEvent): string | null {
  // The test store sells for any project, and needs no account.
  if (isSimulatedPayment(id)) return null
  if (!payment) return reasonText('NO_SELLING_ACCOUNT')
  if (account !== payment.accountId) return reasonText('OTHER_ACCOUNT')
  const mode = isLive ? 'live' : 'test'
  return mode === payment.mode ? null : reasonText('OTHER_MODE', { mode, own: payment.mode })
}
