import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import { sumHours } from './queries'

/** The failed attempts of the last 24 hours, by target. */
export async function countFailures(
  handle: Handle,
  targetIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (targetIds.length === 0) return new Map()
  const sums = await sumHours(handle, targetIds, now - DAY)
  return new Map([...sums].map(([id, { failed }]) => [id, failed]))
}
