import { eq } from 'drizzle-orm'
import type { Context, Tx } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { type Oldest, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { listProjects } from '../../projects/project/service'
import { allSettings } from '../../projects/project/settings'
import { keptDays } from '../../projects/usage/retention'
import { noteRemoved } from '../../projects/usage/service'
import { deleteEventsBefore } from './client-event-queries'
import { dayOf } from './pack-key'
import { deletePacksBefore, findProjectNumber } from './pack-queries'
import { instantsOf } from './usage'

/** Sessions are kept so that a day can be compared with the same day of the year before. */
const SESSION_DAYS = 400
const PAGE = 500

/**
 * Deletes client events older than their project's event retention, and sessions older than 400 days, or than the
 * event retention where that is longer. Returns how many rows it deleted.
 */
export async function pruneTelemetry(ctx: Context, isStopping = () => false): Promise<number> {
  let deleted = 0
  for (const { id, settings } of await listProjects(ctx)) {
    const eventRetentionDays = await keptDays(ctx, id, allSettings(settings).eventRetentionDays)
    const now = ctx.clock.now()
    const firstDay = dayOf(now) - Math.max(SESSION_DAYS, eventRetentionDays)
    const number = await findProjectNumber(ctx, id)
    if (number !== null) deleted += await inPages(ctx, isStopping, (tx) => prunePacks(tx, id, number, firstDay))
    const before = now - eventRetentionDays * DAY
    deleted += await inPages(ctx, isStopping, (tx) => pruneClientEvents(tx, id, before))
  }
  return deleted
}

async function prunePacks(tx: Tx, projectId: string, number: number, firstDay: number): Promise<number> {
  const packs = await deletePacksBefore(tx, number, firstDay, PAGE)
  await noteRemoved(tx, projectId, 'telemetry', instantsOf(packs))
  return packs.length
}

async function pruneClientEvents(tx: Tx, projectId: string, before: number): Promise<number> {
  const instants = await deleteEventsBefore(tx, projectId, before, PAGE)
  await noteRemoved(tx, projectId, 'telemetry', instants)
  return instants.length
}

type DeletePage = (tx: Tx) => Promise<number>

async function inPages(ctx: Context, isStopping: () => boolean, deletePage: DeletePage): Promise<number> {
  let deleted = 0
  for (let found = PAGE; found === PAGE && !isStopping(); deleted += found) found = await ctx.write(deletePage)
  return deleted
}

export const telemetryRetention: RetentionRule = {
  name: 'sessions and events of apps',
  tables: ['sessionPacks', 'clientEvents'],
  keptMs: SESSION_DAYS * DAY,
  setting: 'eventRetentionDays of the project',
  sweep: pruneTelemetry,
  async oldest(handle) {
    const { clientEvents: e } = handle.tables
    const found: Oldest[] = []
    for (const { id, settings } of await listProjects(handle)) {
      const keptMs = allSettings(settings).eventRetentionDays * DAY
      found.push(...(await oldestOf(handle, e, e.recordedAt, keptMs, eq(e.projectId, id))))
    }
    return found
  },
}
