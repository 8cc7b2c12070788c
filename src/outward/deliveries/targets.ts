import type { Context, Tx } from '../../base/context'
import { HOUR } from '../../base/lib/clock'
import { readFeedHead } from '../../people/events/queries'
import { kindOf } from './kinds'
import type { DeliveryKindName } from './model'
import {
  deleteCursor,
  deleteTarget,
  endOpen,
  findCursor,
  hasTargets,
  insertTarget,
  makeDue,
  releaseAll,
  saveCursor,
  sumHours,
  updateTarget,
} from './queries'

interface Target {
  targetId: string
  kind: DeliveryKindName
  projectId: string
  /** Deliveries of one subscriber one after the other, in the order of its events. */
  isOrdered: boolean
}

/** The kinds that get the events of a project. */
const READERS: readonly DeliveryKindName[] = ['WEBHOOK', 'INTEGRATION']

/** Something can be sent to this target from now on. Events of the project are read from now on, if they were not yet. */
export async function openTarget(tx: Tx, target: Target): Promise<void> {
  const now = tx.clock.now()
  const fresh = { health: 'NEW', dueAt: null, deadCount: 0, lastSuccessAt: null, createdAt: now } as const
  await insertTarget(tx, { ...target, ...fresh })
  if (!READERS.includes(target.kind) || (await findCursor(tx, target.projectId)) !== null) return
  await saveCursor(tx, target.projectId, await readFeedHead(tx, tx.needsLocks, target.projectId))
}

/** Switches the order of a target on or off. Without order, what waited may begin. */
export async function orderTarget(tx: Tx, targetId: string, isOrdered: boolean): Promise<void> {
  const now = tx.clock.now()
  await updateTarget(tx, targetId, { isOrdered })
  if (isOrdered) return
  await releaseAll(tx, targetId, now)
  await makeDue(tx, targetId, now)
  tx.afterCommit(() => tx.state.dispatcher.wake())
}

/** Deliveries that one transaction ends at most; the rest ends with their next attempt. */
const END_LIMIT = 50_000

/**
 * Nothing is sent to this target any more: its open deliveries end as DEAD with `error`. It was deleted or switched off.
 */
export async function closeTarget(tx: Tx, { targetId, kind, projectId }: Omit<Target, 'isOrdered'>, error: string) {
  const ended = await endOpen(tx, targetId, { now: tx.clock.now(), error, limit: END_LIMIT })
  await kindOf(tx, kind).onEnd?.(tx, ended)
  await deleteTarget(tx, targetId)
  if (!(await hasTargets(tx, projectId, READERS))) await deleteCursor(tx, projectId)
}

const DAY_HOURS = 24

/** The share of attempts in the last 24 hours that succeeded, 0 to 1, by target; absent where there was none. */
export async function successRates(ctx: Context, targetIds: readonly string[]): Promise<Map<string, number>> {
  if (targetIds.length === 0) return new Map()
  const sums = await sumHours(ctx, targetIds, ctx.clock.now() - DAY_HOURS * HOUR)
  return new Map([...sums].map(([id, { succeeded, failed }]) => [id, succeeded / (succeeded + failed)]))
}
