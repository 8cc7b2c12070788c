import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { reasonText } from '../../core/reason/reasons'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'
import { reopenAndroidPush } from '../android/notification-service'
import { type Apply, processAgain } from '../inbox/inbox'
import {
  findStoreEvent,
  listStoreEvents as listRows,
  listStoreEventIds,
  type StoreEventFilter,
  type StoreEventRow,
} from '../inbox/service'
import { applyNotification } from '../ios/notification'
import { describeRefusal, reopenIosNotification } from '../ios/notification-service'
import { reopenPaymentEvent } from '../payment/notification-service'

export type { StoreEventFilter, StoreEventRow }

/** The inbox for people: newest first, at most `limit`. `FAILED` includes those whose lease expired. */
export const listStoreEvents = (ctx: Context, filter: StoreEventFilter, limit: number): Promise<StoreEventRow[]> =>
  listRows(ctx, filter, ctx.clock.now(), limit)

/** Ids of the store events to replay, in the order of arrival. */
export const listForReplay = (ctx: Context, filter: StoreEventFilter): Promise<string[]> =>
  listStoreEventIds(ctx, filter, ctx.clock.now())

/**
 * Processes a stored notification again and returns its row; null when there is none. Nothing is recorded twice. `note`
 * runs in the transaction in which the processing starts.
 */
export async function replayStoreEvent(
  ctx: Context,
  id: string,
  note?: (tx: Tx, row: StoreEventRow) => Promise<void>,
): Promise<StoreEventRow | null> {
  const row = await findStoreEvent(ctx, id)
  if (!row) return null
  try {
    await processAgain(ctx, row, () => prepareAgain(ctx, row), note && ((tx) => note(tx, row)))
  } catch (error) {
    // The error is saved in the row, except when the database itself fails.
    if (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE') throw error
  }
  return findStoreEvent(ctx, id)
}

/** Reads a stored body again, as its webhook would. */
type Reopen = (ctx: Context, project: ProjectState, body: string) => Promise<Apply>

const REOPEN: Partial<Record<Store, Reopen>> = {
  IOS_STORE: reopenIos,
  ANDROID_STORE: reopenAndroidPush,
  PAYMENT: reopenPaymentEvent,
}

async function prepareAgain(ctx: Context, { store, projectId, body }: StoreEventRow): Promise<Apply> {
  const reopen = REOPEN[store]
  if (!reopen) return failing(reasonText('NOT_REPLAYABLE', { store }))
  const project = await ctx.state.projects.find(projectId)
  return project ? reopen(ctx, project, body) : failing(reasonText('PROJECT_GONE'))
}

async function reopenIos(ctx: Context, project: ProjectState, body: string): Promise<Apply> {
  if (!project.ios) return failing(reasonText('NO_IOS_CREDENTIALS'))
  const result = await reopenIosNotification(ctx, project, project.ios, body)
  if (!result.ok) return failing(describeRefusal(result.reason, result.detail))
  return applyNotification(project, result.notification)
}

const failing =
  (error: string): Apply =>
  async () => ({ status: 'FAILED', error })
