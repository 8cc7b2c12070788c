import type { Context } from '../../base/context'
import { MINUTE } from '../../base/lib/clock'
import { readFeedHead } from './queries'
import { type EventRange, positionAt } from './range-queries'

/** Events are in the order of their recording, but for those that were written within this time. */
const DISORDER_MS = 5 * MINUTE

/**
 * The positions between which all kept events of a project are that were recorded between two instants, both included.
 * Some others are there too.
 */
export async function rangeOf(
  ctx: Context,
  projectId: string,
  { from, to }: { from: number; to: number },
): Promise<EventRange> {
  const head = await readFeedHead(ctx, ctx.storage.driver === 'postgres', projectId)
  const first = await positionAt(ctx, projectId, from - DISORDER_MS, head)
  const behind = await positionAt(ctx, projectId, to + DISORDER_MS, head)
  return { projectId, after: first - 1, until: behind - 1, from, to }
}
