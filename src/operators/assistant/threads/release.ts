import { hostname } from 'node:os'
import type { Context } from '../../../base/context'
import { isGone } from '../../../base/lib/this-process'
import { listReservations } from '../quota/queries'
import { releaseQuota } from '../quota/service'
import { findAnswer, listThreadsOf, listTurns, NO_TURN, updateMessage, updateTurn } from './queries'
import { LONGEST_LOCK_MS } from './running-turn'

/**
 * Ends the turns of processes that have ended. What they had written stays, marked as interrupted, and what they had
 * reserved is settled by the last known figures.
 */
export async function releaseTurns(ctx: Context): Promise<void> {
  for (const { id: threadId, turnMessageId: messageId, turnStartedAt, turnInstance } of await listTurns(ctx)) {
    if (messageId === null || !isLost(ctx, { messageId, instance: turnInstance, since: turnStartedAt })) continue
    await ctx.write(async (tx) => {
      await updateMessage(tx, messageId, { status: 'INTERRUPTED' })
      await updateTurn(tx, { threadId, messageId }, NO_TURN)
    })
  }
  for (const { messageId, projectId, instance, createdAt: since } of await listReservations(ctx)) {
    if (!isLost(ctx, { messageId, instance, since })) continue
    await ctx.write(async (tx) => {
      const hasAnswer = ((await findAnswer(tx, messageId))?.text ?? '') !== ''
      await releaseQuota(tx, { projectId, messageId }, hasAnswer)
    })
  }
}

interface Held {
  messageId: string
  instance: string | null
  since: number | null
}

function isLost(ctx: Context, { messageId, instance, since }: Held): boolean {
  if (ctx.state.assistantTurns.find(messageId) !== null) return false
  if (ctx.clock.now() - (since ?? 0) >= LONGEST_LOCK_MS) return true
  return instance !== null && hasEnded(ctx, instance)
}

/** A database in a file is used on one machine, so a process of another name is one of before a move or a restart. */
const hasEnded = ({ storage, instanceId }: Context, instance: string): boolean =>
  isGone(instance, instanceId) || (storage.driver === 'file' && instance.split(' ')[0] !== hostname())

/** Ends the answers of this process that were stopped, or whose thread was deleted, at another process. */
export async function endStoppedTurns(ctx: Context): Promise<void> {
  const running = ctx.state.assistantTurns.all()
  if (running.length === 0) return
  const threads = await listThreadsOf(
    ctx,
    running.map(({ threadId }) => threadId),
  )
  for (const turn of running) {
    const thread = threads.find(({ turnMessageId }) => turnMessageId === turn.messageId)
    if (!thread) turn.stop('ERASED')
    else if (thread.turnStoppedAt !== null) turn.stop('STOPPED')
  }
}
