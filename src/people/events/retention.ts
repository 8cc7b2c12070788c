import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import type { Oldest, RetentionRule } from '../../base/retention/rule'
import { DEFAULT_SETTINGS } from '../../core/project/schema'
import { listProjects } from '../../projects/project/service'
import { keptDays } from '../../projects/usage/retention'
import { noteRemoved } from '../../projects/usage/service'
import { deleteEvents, type EventRow, listOldest, raisePrunedUntil } from './queries'

const PAGE = 500

declare module '../../base/state' {
  interface SliceHooks {
    /** Which of these events of a project something still needs. They are kept for now, whatever their age. */
    eventsInUse: (handle: Handle, projectId: string, positions: readonly number[]) => Promise<number[]>
  }
}

/**
 * Deletes the events that are older than their project's retention and that nothing needs any more (wire 5.9); returns
 * how many. Positions have the
 * order of the recording times, except for events written at nearly the same moment. So the first page without an old
 * event ends the search.
 */
export async function pruneEvents(ctx: Context, isStopping = () => false): Promise<number> {
  let deleted = 0
  for (const { id, settings } of await listProjects(ctx)) {
    const { eventRetentionDays: days } = { ...DEFAULT_SETTINGS, ...settings }
    const eventRetentionDays = await keptDays(ctx, id, days)
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
    const old = page.filter(({ recordedAt }) => recordedAt < keptSince)
    if (old.length === 0) break
    deleted += await ctx.write((tx) => deleteUnused(tx, projectId, old, keptSince))
    after = page.at(-1)?.position ?? after
  }
  return deleted
}

async function deleteUnused(
  tx: Tx,
  projectId: string,
  old: readonly Pick<EventRow, 'position' | 'recordedAt'>[],
  keptSince: number,
): Promise<number> {
  const positions = old.map(({ position }) => position)
  const used = await Promise.all((tx.hooks.eventsInUse ?? []).map((inUse) => inUse(tx, projectId, positions)))
  const kept = new Set(used.flat())
  const unused = positions.filter((position) => !kept.has(position))
  if (unused.length === 0) return 0
  await noteRemoved(tx, projectId, 'events', await deleteEvents(tx, unused))
  await raisePrunedUntil(tx, projectId, keptSince)
  return unused.length
}

/** Events that something still needs are kept, so that the oldest one of a project may be older. */
export const eventRetention: RetentionRule = {
  name: 'events',
  tables: ['events'],
  keptMs: DEFAULT_SETTINGS.eventRetentionDays * DAY,
  setting: 'eventRetentionDays of the project',
  sweep: pruneEvents,
  async oldest(handle) {
    const found: Oldest[] = []
    for (const { id, settings } of await listProjects(handle)) {
      const { eventRetentionDays } = { ...DEFAULT_SETTINGS, ...settings }
      const [first] = await listOldest(handle, id, 0, 1)
      if (first) found.push({ at: first.recordedAt, keptMs: eventRetentionDays * DAY })
    }
    return found
  },
}
