import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import type { FetchedHistory, FetchOptions } from '../inbox/history'
import type { HistoryOrder } from '../inbox/history-span'
import { fetchIosHistory } from '../ios/history'
import { fetchPaymentHistory } from '../payment/history'

export interface FetchOrder extends HistoryOrder {
  store: 'IOS_STORE' | 'PAYMENT'
}

/** Processes the history of a store for a person. The audit log has the row when the fetch has ended. */
export async function fetchStoreHistory(
  ctx: Context,
  project: ProjectState,
  actor: Actor,
  { store, ...order }: FetchOrder,
  options: FetchOptions,
): Promise<FetchedHistory> {
  const fetch = store === 'PAYMENT' ? fetchPaymentHistory : fetchIosHistory
  const fetched = await fetch(ctx, project, order, options)
  const { from, to, new: added, known, failed } = fetched
  const after = { environment: order.environment, from: toIso(from), to: toIso(to), new: added, known, failed }
  const row = { action: 'storeEvent.fetch', target: { type: 'store', id: store }, before: null, after }
  await ctx.write((tx) => recordAudit(tx, project.id, actor, [row]))
  return fetched
}
