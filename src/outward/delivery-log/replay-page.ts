import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import type { EventRow } from '../../people/events/feed'
import { isOneOfTypes } from '../../people/events/feed-types'
import { listRange } from '../../people/events/range-queries'
import { type EventSubscription, kindOf } from '../deliveries/kinds'
import type { DeliveryKindName } from '../deliveries/model'
import { reopenEvents, type TargetRow } from '../deliveries/reopen'
import { lockTargets } from '../deliveries/target-queries'
import { endReplay, findReplay, moveReplay, type ReplayRow } from './replay-queries'

/** Events that one transaction turns into deliveries. */
export const PAGE = 500

/** What a replay wants of the events in its positions. */
export type ReplayFilter = Pick<ReplayRow, 'from' | 'to' | 'types'>

/** Whether the replay is about an event, and its target gets it. */
export const isReplayed = ({ from, to, types }: ReplayFilter, subscription: EventSubscription, event: EventRow) =>
  event.recordedAt >= from &&
  event.recordedAt <= to &&
  isOneOfTypes(types, event.type) &&
  subscription.judge(event) === 'SEND'

/** What the target gets of the events of its project; null when nothing is sent to it. */
export async function subscriptionOf(
  handle: Handle & Pick<Context, 'hooks'>,
  { kind, projectId, targetId }: { kind: DeliveryKindName; projectId: string; targetId: string },
): Promise<EventSubscription | null> {
  const subscriptions = (await kindOf(handle, kind).subscriptionsOf?.(handle, projectId)) ?? []
  return subscriptions.find((one) => one.targetId === targetId) ?? null
}

/** Writes the deliveries of a page of events to a target that the caller has locked; returns how many. */
export async function writePage(
  tx: Tx,
  replay: ReplayRow,
  target: TargetRow,
  events: readonly EventRow[],
): Promise<number> {
  const subscription = await subscriptionOf(tx, replay)
  if (!subscription) return 0
  const wanted = events.filter((event) => isReplayed(replay, subscription, event))
  return (await reopenEvents(tx, target, wanted)).length
}

/** Goes on with the replay of a long range, page by page, where the last one that was committed ended. */
export const replayJob = defineJob({
  name: 'deliveries.replay',
  payload: Type.Object({ replayId: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
  async handle(ctx, { replayId }, isStopping) {
    while (await nextPage(ctx, replayId)) {
      if (!isStopping()) continue
      // The job that runs is wanted again: it continues after the next start.
      await ctx.write((tx) => enqueue(tx, replayJob, { replayId }, { dedupeKey: replayId }))
      return
    }
  },
})

/** Returns whether the replay is not finished yet. */
async function nextPage(ctx: Context, id: string): Promise<boolean> {
  const replay = await findReplay(ctx, id)
  if (!replay) return false
  const events = await listRange(ctx, { ...replay, after: replay.position }, PAGE)
  return ctx.write(async (tx) => {
    const [target] = await lockTargets(tx, [replay.targetId])
    const last = events.length < PAGE ? null : (events.at(-1)?.position ?? null)
    const isEnd = target === undefined || last === null
    const isOurs = isEnd ? await endReplay(tx, replay) : await moveReplay(tx, replay, last)
    // Another run of this job may have written the page.
    if (isOurs && target) await writePage(tx, replay, target, events)
    return !(isOurs && isEnd)
  })
}
