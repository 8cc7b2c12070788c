import { toIso } from '../../base/lib/time'
import type { PurchaseRow } from '../../people/purchases/holdings'
import { statusAt } from '../../people/purchases/status'
import { toPurchaseView, toTransactionView } from '../../people/purchases/wire'
import type { ProjectState } from '../../projects/project/state'
import type { Refunded } from './refunds'
import type { ActionRow } from './schedule'

/** A scheduled action of wire 7.8. */
export const toActionView = ({ id, purchaseId, action, dueAt, status, error }: ActionRow) => ({
  id,
  purchaseId,
  action,
  dueAt: toIso(dueAt),
  status,
  error,
})

/** A purchase with its state at `now`. */
export const toPurchaseNow = (project: ProjectState, row: PurchaseRow, now: number) =>
  toPurchaseView(project, row, statusAt(row.fold, now))

export const toRefundView = (project: ProjectState, { purchase, transaction, purchaseIds }: Refunded, now: number) => ({
  purchase: toPurchaseNow(project, purchase, now),
  transaction: toTransactionView(transaction),
  purchaseIds,
})
