import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { listProjects } from '../../projects/project/service'
import { DEFAULT_SETTINGS } from '../../projects/project/settings'
import { deleteEvents, listOldest, raisePrunedUntil } from './queries'

const PAGE = 500

/**
 * Deletes the events that each project has kept as long as it wants to (wire 5.9); returns how many. Positions go with
 * the time of recording, but for what was written at the same moment: a page without an old one is the last to look at.
 */
export async function pruneEvents(ctx: Context, isStopping = () => false): Promise<number> {
  let deleted = 0
  for (const { id, settings } of await listProjects(ctx)) {
    const { eventRetentionDays } = { ...DEFAULT_SETTINGS, ...settings }
    deleted += await pruneProject(ctx, id, ctx.clock.now() - eventRetentionDays * DAY, isStopping)
  }
  return deleted
}

async function pruneProject(
  ctx: Context,
  projectId: string,
  keptSince: number,
  isStopping: () => boolean,
): Promise<number> {
  let deleted = 0
  for (let after = 0; !isStopping(); ) {
    const page = await listOldest(ctx, projectId, after, PAGE)
    const positions = page.flatMap(({ position, recordedAt }) => (recordedAt < keptSince ? position : []))
    if (positions.length === 0) break
    await ctx.write(async (tx) => {
      await deleteEvents(tx, positions)
      await raisePrunedUntil(tx, projectId, keptSince)
    })
    deleted += positions.length
    after = page.at(-1)?.position ?? after
  }
  return deleted
}
