import type { Context, Tx } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import { lockHeld, ownerOf } from '../../intake/recording/held'
import { causeOf } from '../../people/events/model'
import { findPurchase, type PurchaseRow } from '../../people/purchases/holdings'
import { statusAt } from '../../people/purchases/status'
import { recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import type { ActionOrigin } from './actor'
import { type CancelRefusal, isBeingTried, refuseCancel } from './cancel-plan'
import { cancelledLines, recordCancellation } from './cancel-reports'
import { type Preview, preview } from './preview'
import { type ActionRow, findOpenAction, insertAction, updateAction } from './queries'

export type { ActionRow }

export interface ScheduleOrder {
  purchaseId: string
  dueAt: number
  /** Only for granted access: end it at `dueAt` instead of at its own end. */
  revokeImmediately: boolean
  origin: ActionOrigin
}

/**
 * Schedules the cancellation of a purchase for a later time (wire 5.13). It stays with the purchase, also when the
 * purchase gets another owner. No store is asked before `dueAt`. 409 `STORE_CANCEL_UNSUPPORTED`,
 * `SCHEDULED_ACTION_CONFLICT`; 400 `REVOKE_IMMEDIATELY_UNSUPPORTED`, `VALIDATION_ERROR`.
 */
export const scheduleCancellation = (ctx: Context, project: ProjectState, order: ScheduleOrder): Promise<ActionRow> =>
  ctx.write(async (tx) => {
    const purchase = await lockActions(tx, project.id, order.purchaseId)
    return addAction(tx, project, purchase, order)
  })

/**
 * What `scheduleCancellation` would do, with the same refusals. The access and the events are those that the
 * cancellation would have now; it really has them at `dueAt`. Nothing is written, and no store is asked.
 */
export const previewCancellation = (
  ctx: Context,
  project: ProjectState,
  order: ScheduleOrder,
): Promise<Preview<CancellationPreview>> =>
  preview(ctx, project, async (tx) => {
    const purchase = await lockActions(tx, project.id, order.purchaseId)
    const action = await addAction(tx, project, purchase, order)
    const held = await lockHeld(tx, purchase)
    const lines = await cancelledLines(tx, held)
    const run = async () => {
      await recordCancellation(tx, project, lines, action, causeOf('SCHEDULE', action.id, held.store))
      return { action, purchaseIds: lines.map(({ id }) => id) }
    }
    return { subscriber: await ownerOf(tx, held), run }
  })

/** The action, and the purchases that it would cancel: all lines of the subscription. */
export interface CancellationPreview {
  action: ActionRow
  purchaseIds: string[]
}

async function addAction(
  tx: Tx,
  project: ProjectState,
  purchase: PurchaseRow,
  order: ScheduleOrder,
): Promise<ActionRow> {
  const refused = refuseCancel(await toQuestion(tx, purchase, order))
  if (refused) throw refusal(refused)
  const action = toAction(tx, purchase, order)
  await insertAction(tx, action)
  await recordAudit(tx, project.id, order.origin.actor, [auditOf('purchase.schedule', null, action)])
  return action
}

/** Cancels the open action of a purchase. 409 `not_pending` when there is none, or while it is being carried out. */
export const cancelSchedule = (
  ctx: Context,
  project: ProjectState,
  { purchaseId, origin }: Pick<ScheduleOrder, 'purchaseId' | 'origin'>,
): Promise<ActionRow> =>
  ctx.write(async (tx) => {
    const purchase = await lockActions(tx, project.id, purchaseId)
    const now = tx.clock.now()
    const open = await findOpenAction(tx, purchase.id)
    if (!open || isBeingTried(open, now)) throw conflict('not_pending')
    const action: ActionRow = { ...open, status: 'CANCELLED', updatedAt: now }
    await updateAction(tx, open.id, action)
    await recordAudit(tx, project.id, origin.actor, [auditOf('purchase.unschedule', open, action)])
    return action
  })

/** Locks the actions of a purchase until the transaction ends, and reads the purchase. */
async function lockActions(tx: Tx, projectId: string, purchaseId: string): Promise<PurchaseRow> {
  await tx.lock(`actions:${purchaseId}`)
  const purchase = await findPurchase(tx, projectId, purchaseId)
  if (!purchase) throw notFound('purchase', purchaseId)
  // An id of before names the row that stayed, whose actions have their own lock.
  return purchase.id === purchaseId ? purchase : lockActions(tx, projectId, purchase.id)
}

const toQuestion = async (tx: Tx, { id, store, fold }: PurchaseRow, order: ScheduleOrder) => {
  const now = tx.clock.now()
  const { status, productType } = statusAt(fold, now)
  const { dueAt, revokeImmediately } = order
  return {
    store,
    productType,
    status,
    hasOpenAction: (await findOpenAction(tx, id)) !== null,
    dueAt,
    revokeImmediately,
    now,
  }
}

function toAction(tx: Tx, { id: purchaseId, projectId }: PurchaseRow, order: ScheduleOrder): ActionRow {
  const { dueAt, revokeImmediately } = order
  const now = tx.clock.now()
  const state = { action: 'CANCEL', status: 'PENDING', error: null } as const
  return {
    id: tx.ids.next('act'),
    projectId,
    purchaseId,
    ...state,
    revokeImmediately,
    dueAt,
    createdAt: now,
    updatedAt: now,
  }
}

const auditOf = (action: string, before: ActionRow | null, after: ActionRow) => ({
  action,
  target: { type: 'purchase', id: after.purchaseId },
  before: before && imageOf(before),
  after: imageOf(after),
})

const imageOf = ({ id, action, dueAt, revokeImmediately, status }: ActionRow) => ({
  id,
  action,
  dueAt: toIso(dueAt),
  revokeImmediately,
  status,
})

function refusal(reason: CancelRefusal): AppError {
  switch (reason) {
    case 'too_soon':
      return invalid('dueAt: at least 60 seconds from now')
    case 'too_late':
      return invalid('dueAt: at most two years from now')
    case 'one_time':
      return invalid('A one-time purchase does not renew; refund it, or revoke a grant with revokeImmediately')
    case 'revoke_unsupported':
      return new AppError('REVOKE_IMMEDIATELY_UNSUPPORTED')
    case 'store_unsupported':
      return new AppError('STORE_CANCEL_UNSUPPORTED')
    default:
      return conflict(reason)
  }
}

const MESSAGES = {
  terminal: 'The purchase has ended; there is nothing to cancel',
  pending: 'A cancellation waits for this purchase already; call that off first',
  not_pending: 'No cancellation waits for this purchase, or it is being carried out at this moment',
}

const conflict = (reason: keyof typeof MESSAGES): AppError =>
  new AppError('SCHEDULED_ACTION_CONFLICT', { reason }, { message: MESSAGES[reason] })
