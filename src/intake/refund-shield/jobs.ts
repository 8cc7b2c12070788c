import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { answerRequest } from './answer'

/** Answers one request. The attempts continue past the deadline; the first one after it marks the row as failed. */
export const refundAnswer = defineJob({
  name: 'refund-shield.answer',
  payload: Type.Object({ responseId: Type.String() }, { additionalProperties: false }),
  maxAttempts: 200,
  backoff: { baseMs: 10 * SECOND, capMs: 15 * MINUTE },
  handle: answer,
})

async function answer(ctx: Context, { responseId }: { responseId: string }): Promise<void> {
  const again = await answerRequest(ctx, responseId)
  if (again !== null) await ctx.write((tx) => queueAnswer(tx, responseId, again))
}

/** Queues the answer in the caller's transaction, once for each request. */
export async function queueAnswer(tx: Tx, responseId: string, runAt: number): Promise<void> {
  await enqueue(tx, refundAnswer, { responseId }, { runAt, dedupeKey: responseId })
}
