import { DAY } from '../../base/lib/clock'
import { addCounts } from '../../projects/usage/meters'
import type { UsageSource } from '../../projects/usage/recount'
import { countClientEvents } from './client-event-queries'
import { type CountedPack, countSessionEvents } from './pack-queries'

/** Sessions by the day on which they happened, as they are packed; events of apps by the day on which they arrived. */
export const telemetryUsage: UsageSource = {
  meter: 'telemetry',
  countDays: async (handle, projectId, days) =>
    addCounts(await countSessionEvents(handle, projectId, days), await countClientEvents(handle, projectId, days)),
}

/** An instant of its day for each event of packs. */
export const instantsOf = (packs: readonly CountedPack[]): number[] =>
  packs.flatMap(({ day, count }) => Array.from({ length: count }, () => day * DAY))
