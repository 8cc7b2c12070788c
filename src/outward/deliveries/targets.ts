import { type Static, Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { HOUR } from '../../base/lib/clock'
import { feedHead } from '../../people/events/feed'
import { kindOf } from './kinds'
import type { DeliveryKindName } from './model'
import { endOpen, lastPositionOf, releaseAll, sumHours } from './queries'
import {
  deleteTarget,
  hasTargets,
  insertTarget,
  lockCursor,
  lockTargets,
  makeDue,
  saveCursor,
  updateTarget,
} from './target-queries'

/** For slices that change targets: locked until the end of the transaction, so that the dispatcher waits. */
export { lockTargets } from './target-queries'

interface Target {
  targetId: string
  kind: DeliveryKindName
  projectId: string
  /** Deliveries of one subscriber one after the other, in the order of its events. */
  isOrdered: boolean
}

/** The kinds that get the events of a project. */
const READERS: readonly DeliveryKindName[] = ['WEBHOOK', 'INTEGRATION']

/** Something can be sent to this target from now on. The first one of a project gets the events from now on. */
export async function openTarget(tx: Tx, target: Target): Promise<void> {
  const now = tx.clock.now()
  if (READERS.includes(target.kind)) await beginReading(tx, target.projectId)
  const fresh = { health: 'NEW', dueAt: null, deadCount: 0, lastSuccessAt: null, createdAt: now } as const
  await insertTarget(tx, { ...target, ...fresh })
}

async function beginReading(tx: Tx, projectId: string): Promise<void> {
  const cursor = await lockCursor(tx, projectId)
  if (cursor === null || !(await hasTargets(tx, projectId, READERS)))
    await saveCursor(tx, projectId, await feedHead(tx, projectId))
}

/** Switches the order of a target on or off. Without order, what waited may start. */
export async function orderTarget(tx: Tx, targetId: string, isOrdered: boolean): Promise<void> {
  const now = tx.clock.now()
  await updateTarget(tx, targetId, { isOrdered })
  if (isOrdered) return
  await releaseAll(tx, targetId, now)
  await makeDue(tx, targetId, now)
  tx.afterCommit(() => tx.state.dispatcher.wake())
}

/** Deliveries that one transaction ends. */
const END_PAGE = 1000

/**
 * Nothing is sent to this target any more: its open deliveries end as DEAD with `error`. It was deleted or switched off.
 * What a second transaction must end is left to a job.
 */
export async function closeTarget(tx: Tx, { targetId, kind }: Pick<Target, 'targetId' | 'kind'>, error: string) {
  // First: else a delivery that a person has retried in this moment would be overlooked, and stay open for ever.
  await lockTargets(tx, [targetId])
  const closed = { targetId, kind, error, until: await lastPositionOf(tx, targetId) }
  const count = await endPage(tx, closed)
  if (count === END_PAGE) await enqueue(tx, endClosed, closed)
  await deleteTarget(tx, targetId)
}

const Closed = Type.Object(
  {
    targetId: Type.String({ maxLength: 64 }),
    kind: Type.Unsafe<DeliveryKindName>(Type.String({ maxLength: 16 })),
    error: Type.String({ maxLength: 64 }),
    /** Deliveries that are made after the target was closed are not ended: it may have been opened again. */
    until: Type.Integer(),
  },
  { additionalProperties: false },
)

/** Ends the deliveries of a closed target page by page. */
export const endClosed = defineJob({
  name: 'deliveries.end_closed',
  payload: Closed,
  handle: async (ctx, closed) => {
    while ((await ctx.write((tx) => endPage(tx, closed))) === END_PAGE);
  },
})

async function endPage(tx: Tx, { targetId, kind, error, until }: Static<typeof Closed>): Promise<number> {
  const ended = await endOpen(tx, targetId, { now: tx.clock.now(), error, until, limit: END_PAGE })
  if (ended.length > 0) await kindOf(tx, kind).onEnd?.(tx, ended)
  return ended.length
}

const DAY_HOURS = 24

/** The share of attempts in the last 24 hours that succeeded, 0 to 1, by target; absent where there was none. */
export async function successRates(ctx: Context, targetIds: readonly string[]): Promise<Map<string, number>> {
  if (targetIds.length === 0) return new Map()
  const sums = await sumHours(ctx, targetIds, ctx.clock.now() - DAY_HOURS * HOUR)
  return new Map([...sums].map(([id, { succeeded, failed }]) => [id, succeeded / (succeeded + failed)]))
}
