import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { notFound } from '../../base/errors'
import { enqueue, writeQueued } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { DAY, MINUTE } from '../../base/lib/clock'
import { listRange, positionAt } from '../../people/events/range-queries'
import { recordAudit } from '../../projects/audit/audit'
import { conflict, type ProjectActor } from '../../projects/project/edit'
import { queueOf } from '../deliveries/reopen'
import { findCursor } from '../deliveries/target-queries'
import { fillPage, isSent, PAGE } from './backfill-page'
import { type BackfillRange, countUnsent } from './backfill-queries'
import { findIntegration, type IntegrationRow } from './queries'

/** Events are in the order of their recording, but for those that were written within this time. */
const DISORDER_MS = 5 * MINUTE

/**
 * Sends the events of the last days that the connection has no delivery of; returns how many. A job makes the
 * deliveries. 404, 409 `CONFLICT` for a connection that is switched off, 503 `QUEUE_UNAVAILABLE`.
 */
export async function startBackfill(ctx: Context, by: ProjectActor, id: string, days: number): Promise<number> {
  const row = await findIntegration(ctx, by.projectId, id)
  if (!row) throw notFound('integration', id)
  if (!row.isEnabled) throw conflict('This connection is switched off; switch it on before you fill it')
  const range = await rangeOf(ctx, row, ctx.clock.now() - days * DAY)
  const queued = await countWanted(ctx, row, range)
  if (queued > 0) await writeQueued(ctx, queueOf('INTEGRATION'), (tx) => start(tx, by, range, { days, queued }))
  return queued
}

async function start(
  tx: Tx,
  { projectId, actor }: ProjectActor,
  range: BackfillRange,
  after: { days: number; queued: number },
): Promise<void> {
  await enqueue(tx, backfillJob, { ...range })
  const target = { type: 'integration', id: range.targetId }
  await recordAudit(tx, projectId, actor, [{ action: 'integration.backfill', target, before: null, after }])
}

/** Up to where the dispatcher has turned the project's events into deliveries: what comes after it, it sends itself. */
async function rangeOf(ctx: Context, { id, projectId }: IntegrationRow, from: number): Promise<BackfillRange> {
  const until = (await findCursor(ctx, projectId)) ?? 0
  const first = await positionAt(ctx, projectId, from - DISORDER_MS, until)
  return { projectId, targetId: id, after: first - 1, until, from }
}

async function countWanted(ctx: Context, row: IntegrationRow, range: BackfillRange): Promise<number> {
  const groups = await ctx.storage.readInThread((handle) => countUnsent(handle, range), { group: range.projectId })
  return groups.filter((group) => isSent(row, group)).reduce((sum, { count }) => sum + count, 0)
}

const BackfillPayload = Type.Object(
  {
    projectId: Type.String({ maxLength: 64 }),
    targetId: Type.String({ maxLength: 64 }),
    after: Type.Integer(),
    until: Type.Integer(),
    from: Type.Integer(),
  },
  { additionalProperties: false },
)

/** Safe to repeat, also beside another back-fill: an event that has a delivery gets no second one. */
export const backfillJob = defineJob({
  name: 'integrations.backfill',
  payload: BackfillPayload,
  async handle(ctx, range, isStopping) {
    let after = range.after
    for (let isMore = true; isMore && !isStopping(); ) {
      const events = await listRange(ctx, { ...range, after, to: Number.MAX_SAFE_INTEGER }, PAGE)
      await ctx.write((tx) => fillPage(tx, range, events))
      isMore = events.length === PAGE
      after = events.at(-1)?.position ?? after
    }
    if (isStopping()) await ctx.write((tx) => enqueue(tx, backfillJob, { ...range, after }))
  },
})
