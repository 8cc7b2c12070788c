import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { HOUR, MINUTE } from '../../base/lib/clock'
import { CLAIM_MS } from './model'
import { performRequest, removeArtefact } from './perform'
import { type DataRequestRow, listLost, listSpent, updateAsRead } from './queries'

/** Each request has at most one such job. */
export const dataRequestJob = defineJob({
  name: 'dataRequests.run',
  payload: Type.Object({ requestId: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
  backoff: { baseMs: MINUTE, capMs: HOUR },
  handle: (ctx, { requestId }, isStopping) => runInTurn(ctx, requestId, isStopping),
})

/** Whether this process works on a request, and the ids of those that come next. */
export interface RequestTurn {
  isTaken: boolean
  readonly waiting: Set<string>
}

/**
 * One request at a time in each process: the other places of the worker are for work that cannot wait. Each hands the
 * turn to the next. What waits when the process ends is picked up as what was lost is.
 */
async function runInTurn(ctx: Context, requestId: string, isStopping: () => boolean): Promise<void> {
  const turn = ctx.state.dataRequestTurn
  if (turn.isTaken) {
    turn.waiting.add(requestId)
    return
  }
  turn.isTaken = true
  try {
    const outcome = await performRequest(ctx, requestId, isStopping)
    if (outcome.kind === 'AGAIN') await ctx.write((tx) => enqueueAt(tx, requestId, outcome.at))
  } finally {
    turn.isTaken = false
    await handOver(ctx, turn)
  }
}

async function handOver(ctx: Context, { waiting }: RequestTurn): Promise<void> {
  const [next] = waiting
  if (next === undefined) return
  waiting.delete(next)
  await ctx.write((tx) => enqueueAt(tx, next, tx.clock.now()))
}

const enqueueAt = (tx: Parameters<typeof enqueue>[0], requestId: string, runAt: number) =>
  enqueue(tx, dataRequestJob, { requestId }, { runAt, dedupeKey: requestId })

const MOST = 100

/**
 * Hands requests to the queue that have no job: their enqueue failed, their job has failed too often, or the process
 * that worked on them has ended.
 */
export async function pickUpLost(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const lost = await listLost(ctx, { waitingSince: now - MINUTE, claimedUntil: now - CLAIM_MS }, MOST)
  for (const row of lost) await ctx.write((tx) => pickUp(tx, row))
}

async function pickUp(tx: Parameters<typeof enqueue>[0], row: DataRequestRow): Promise<void> {
  const now = tx.clock.now()
  const isLost = row.status === 'RUNNING'
  if (isLost && !(await updateAsRead(tx, row, { status: 'PENDING', claimedAt: null, updatedAt: now }))) return
  await enqueueAt(tx, row.id, now)
}

/** Deletes the files of exports whose link has ended, and what failed exports have left. */
export async function removeSpent(ctx: Context): Promise<void> {
  for (const { id } of await listSpent(ctx, ctx.clock.now(), MOST)) await removeArtefact(ctx, id)
}
