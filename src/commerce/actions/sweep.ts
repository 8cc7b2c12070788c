import type { Context, Tx } from '../../base/context'
import { lockHeld, recordHeldObservations } from '../../intake/recording/held'
import { causeOf } from '../../people/events/model'
import { findPurchase, type PurchaseRow } from '../../people/purchases/holdings'
import { statusAt } from '../../people/purchases/status'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import { givesUp, nextTryAt, planCancel } from './cancel-plan'
import { cancelAtStore } from './cancel-store'
import { type ActionRow, claimAction, findAction, listDueActions, updateAction } from './queries'
import type { ActionStatus } from './tables'

const BATCH = 500

/**
 * Carries out the cancellations whose time has come (wire 5.13), one after the other. What fails does not keep the
 * others waiting: an error of ours is thrown at the end, and its action is tried again. Returns how many were settled.
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

/** True when it has come to its end, whichever. */
async function tryAction(ctx: Context, action: ActionRow): Promise<boolean> {
  if (nextTryAt(action) > ctx.clock.now()) return false
  if (!(await takeInHand(ctx, action))) return false
  const project = await ctx.state.projects.find(action.projectId)
  const purchase = project && (await findPurchase(ctx, project.id, action.purchaseId))
  if (!project || !purchase) return settle(ctx, action, 'CANCELLED', 'the purchase is gone')
  const state = statusAt(purchase.fold, ctx.clock.now())
  switch (planCancel(purchase.store, state, purchase.fold)) {
    case 'ended':
      return settle(ctx, action, 'CANCELLED', `the purchase had ended before (${state.status})`)
    case 'record':
      return recordDone(ctx, project, purchase, action)
    case 'ask_store':
      return askStore(ctx, project, purchase, action)
  }
}

/** Under the lock of whoever would call it off. */
const takeInHand = (ctx: Context, action: ActionRow): Promise<boolean> =>
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
    return settle(ctx, action, 'CANCELLED', `the purchase had ended: ${message}`)
  return settle(ctx, action, 'FAILED', message)
}

/** The store has done it, or there is none: what follows is recorded with the end of the action. */
const recordDone = (ctx: Context, project: ProjectState, purchase: PurchaseRow, action: ActionRow): Promise<boolean> =>
  ctx.write(async (tx) => {
    await tx.lock(`actions:${purchase.id}`)
    const held = await lockHeld(tx, purchase)
    // What a store has done is so; our own word can still be withheld.
    if (held.store === 'MANUAL' && (await findAction(tx, action.id))?.status !== 'PENDING') return false
    const cause = causeOf('SCHEDULE', action.id, held.store)
    const observed = await recordHeldObservations(tx, project, held, wordsOf(held, action, tx.clock.now()), cause)
    if (!observed && held.store === 'MANUAL') return finish(tx, action, 'CANCELLED', 'its owner was erased')
    return finish(tx, action, 'EXECUTED', null)
  })

/** Named by the action, so that a repetition adds nothing. */
function wordsOf({ fold }: PurchaseRow, { id, revokeImmediately }: ActionRow, eventAt: number): Observation[] {
  const word = { kind: 'REPORT', id: `cancel:${id}`, eventAt } as const
  if (!revokeImmediately) return [{ ...word, renewal: { autoRenews: false } }]
  const { storeTransactionId: transactionId } = fold
  return [
    { ...word, ended: { at: eventAt, reason: 'DEVELOPER' } },
    { kind: 'REVOCATION', id: `revocation:${id}`, eventAt, transactionId, amount: null },
  ]
}

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

/** Whoever called it off, or settled it, meanwhile stands. */
async function finish(
  tx: Tx,
  { id, purchaseId, projectId }: ActionRow,
  status: ActionStatus,
  error: string | null,
): Promise<boolean> {
  const now = await findAction(tx, id)
  if (now?.status !== 'PENDING') return false
  await updateAction(tx, id, { status, error, updatedAt: tx.clock.now() })
  // Its owners are to be told by mail, once there is any.
  if (status === 'FAILED')
    tx.afterCommit(() => tx.log.error('a scheduled cancellation failed', { projectId, purchaseId, action: id, error }))
  return true
}
