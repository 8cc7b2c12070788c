import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { listProjects } from '../../projects/project/service'
import { DEFAULT_SETTINGS } from '../../projects/project/settings'
import { deleteEvents, listOldest, raisePrunedUntil } from './queries'

const PAGE = 500

/**
 * Deletes the events that are older than their project's retention (wire 5.9); returns how many. Positions have the
 * order of the recording times, except for events written at nearly the same moment. So the first page without an old
 * event ends the search.
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
