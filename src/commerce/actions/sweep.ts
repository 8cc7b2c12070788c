import type { Context, Tx } from '../../base/context'
import { reasonText } from '../../core/reason/reasons'
import { lockHeld } from '../../intake/recording/held'
import { type Notice, type NoticeKind, notify } from '../../operators/notices/notify'
import { causeOf } from '../../people/events/model'
import { findPurchase, type PurchaseRow } from '../../people/purchases/holdings'
import { statusAt } from '../../people/purchases/status'
import type { ProjectState } from '../../projects/project/state'
import { givesUp, nextTryAt, planCancel } from './cancel-plan'
import { cancelledLines, recordCancellation } from './cancel-reports'
import { cancelAtStore } from './cancel-store'
import { type ActionRow, claimAction, findAction, listDueActions, updateAction } from './queries'
import type { ActionStatus } from './tables'

export const ACTION_FAILED: NoticeKind = {
  kind: 'scheduled_action_failed',
  description: 'A scheduled cancellation could not be carried out at the store.',
}

const BATCH = 500

/**
 * Carries out the cancellations that are due (wire 5.13), one after the other. A cancellation that fails does not stop
 * the others: the first internal error is thrown at the end, and its action is tried again at a later run. Returns how
 * many actions reached a final state.
 */
export async function sweepActions(ctx: Context): Promise<number> {
  const errors: unknown[] = []
  let settled = 0
  for (let afterId = ''; ; ) {
    const due = await listDueActions(ctx, ctx.clock.now(), afterId, BATCH)
    for (const action of due) {
      try {
        if (await tryAction(ctx, action)) settled++
      } catch (error) {
        errors.push(error)
      }
    }
    afterId = due.at(-1)?.id ?? afterId
    if (due.length < BATCH) break
  }
  if (errors.length > 0) throw errors[0]
  return settled
}

/** True when the action reached a final state: executed, cancelled or failed. */
async function tryAction(ctx: Context, action: ActionRow): Promise<boolean> {
  if (nextTryAt(action) > ctx.clock.now()) return false
  if (!(await claimLocked(ctx, action))) return false
  const project = await ctx.state.projects.find(action.projectId)
  const purchase = project && (await findPurchase(ctx, project.id, action.purchaseId))
  if (!project || !purchase) return settle(ctx, action, 'CANCELLED', reasonText('PURCHASE_GONE'))
  const state = statusAt(purchase.fold, ctx.clock.now())
  switch (planCancel(purchase.store, state, purchase.fold)) {
    case 'ended':
      return settle(ctx, action, 'CANCELLED', reasonText('ENDED_BEFORE', { status: state.status }))
    case 'record':
      return recordDone(ctx, project, purchase, action)
    case 'ask_store':
      return askStore(ctx, project, purchase, action)
  }
}

/** Claims the action for this process, under the same lock as calling it off. */
const claimLocked = (ctx: Context, action: ActionRow): Promise<boolean> =>
  ctx.write(async (tx) => {
    await tx.lock(`actions:${action.purchaseId}`)
    return claimAction(tx, action, tx.clock.now())
  })

async function askStore(
  ctx: Context,
  project: ProjectState,
  purchase: PurchaseRow,
  action: ActionRow,
): Promise<boolean> {
  const result = await cancelAtStore(ctx, project, purchase)
  if (result.kind === 'done') return recordDone(ctx, project, purchase, action)
  const { kind, message } = result
  if (kind === 'fault' && !givesUp(action, ctx.clock.now())) return keepTrying(ctx, action, message)
  const { status } = statusAt(purchase.fold, ctx.clock.now())
  if (kind === 'refused' && status === 'EXPIRED')
    return settle(ctx, action, 'CANCELLED', reasonText('ENDED_AT_STORE', { message }))
  return settle(ctx, action, 'FAILED', message)
}

/** The store has cancelled, or no store is involved: records the cancellation and closes the action together. */
const recordDone = (ctx: Context, project: ProjectState, purchase: PurchaseRow, action: ActionRow): Promise<boolean> =>
  ctx.write(async (tx) => {
    await tx.lock(`actions:${purchase.id}`)
    const held = await lockHeld(tx, purchase)
    // What a store did cannot be undone. A cancellation without a store can still be dropped.
    if (held.store === 'MANUAL' && (await findAction(tx, action.id))?.status !== 'PENDING') return false
    const cause = causeOf('SCHEDULE', action.id, held.store)
    const observed = await recordCancellation(tx, project, await cancelledLines(tx, held), action, cause)
    if (!observed && held.store === 'MANUAL') return finish(tx, action, 'CANCELLED', reasonText('OWNER_ERASED'))
    return finish(tx, action, 'EXECUTED', null)
  })

const settle = (ctx: Context, action: ActionRow, status: ActionStatus, error: string): Promise<boolean> =>
  ctx.write(async (tx) => {
    await tx.lock(`actions:${action.purchaseId}`)
    return finish(tx, action, status, error)
  })

async function keepTrying(ctx: Context, { id, purchaseId, projectId }: ActionRow, error: string): Promise<boolean> {
  await ctx.write((tx) => updateAction(tx, id, { error }))
  ctx.log.warn('a scheduled cancellation is tried again', { projectId, purchaseId, action: id, error })
  return false
}

/** Closes the action. False, with no change, when it was cancelled or closed in the meantime. */
async function finish(
  tx: Tx,
  { id, purchaseId, projectId }: ActionRow,
  status: ActionStatus,
  error: string | null,
): Promise<boolean> {
  const now = await findAction(tx, id)
  if (now?.status !== 'PENDING') return false
  await updateAction(tx, id, { status, error, updatedAt: tx.clock.now() })
  if (status === 'FAILED') {
    tx.afterCommit(() => tx.log.error('a scheduled cancellation failed', { projectId, purchaseId, action: id, error }))
    await notify(tx, failureNotice(now, error))
  }
  return true
}

/** For the owners, who must now cancel at the store by themselves. */
const failureNotice = ({ id, projectId, purchaseId }: ActionRow, error: string | null): Notice => ({
  kind: ACTION_FAILED.kind,
  projectId,
  roles: ['OWNER'],
  title: 'A scheduled cancellation failed',
  body: `The cancellation of ${purchaseId} (${id}) was not carried out${error === null ? '' : `: ${error}`}. The subscription still renews; cancel it at the store, or schedule it again.`,
  mail: {},
})
