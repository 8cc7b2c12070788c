import type { Context } from '../../base/context'
import { causeOf } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import type { ProviderEvent } from '../../stores/payment/event'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import type { Apply, Arrival, Outcome } from '../inbox/inbox'
import { ignored, outcomeOf } from '../inbox/outcome'
import { fetchPayment } from './fetch'
import { recordPayment } from './record'

const STORE = 'PAYMENT'

export const toArrival = (projectId: string, { id, type, createdAt }: ProviderEvent, body: string): Arrival => ({
  projectId,
  store: STORE,
  notificationId: id,
  type,
  eventAt: createdAt,
  body,
})

/** Fetches the object of an event from the provider. The function returned records it. */
export async function prepareEvent(ctx: Context, project: ProjectState, event: ProviderEvent): Promise<Apply> {
  const { type, createdAt: eventAt, subject } = event
  if (subject === null) return settling(ignored('it says nothing of a purchase'))
  const foreign = foreignReason(project, event)
  if (foreign !== null) return settling(ignored(foreign))
  const news = await fetchPayment(ctx, project, { subject, eventAt })
  if (news.kind === 'idle') return settling(ignored(news.reason))
  if (news.kind === 'unknown') return settling({ status: 'FAILED', error: UNKNOWN })
  return async (tx, storeEventId) =>
    outcomeOf(
      await recordPayment(tx, project, news.purchase, causeOf('STORE_NOTIFICATION', storeEventId, STORE, type)),
      'payment id',
    )
}

const settling =
  (outcome: Outcome): Apply =>
  async () =>
    outcome

const UNKNOWN =
  'the provider knows nothing of it by the saved key: if the key is of another account, save the right one, then replay this'

/** Why an event is not about a sale of the project, so that it is ignored; null when it may be. */
function foreignReason({ payment }: ProjectState, { id, account, isLive }: ProviderEvent): string | null {
  // The test store sells for any project, and needs no account.
  if (isSimulatedPayment(id)) return null
  if (!payment) return 'the project sells through no account'
  if (account !== payment.accountId) return 'it is of another account'
  const mode = isLive ? 'live' : 'test'
  return mode === payment.mode ? null : `it is of ${mode} mode, and the project sells in ${payment.mode} mode`
}
