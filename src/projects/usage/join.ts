import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { usageDay } from './month'
import { addJoined, type Count, takeWriters } from './queries'

/** Session events count on a day up to 48 hours ago. Older days get rows only from clocks that were set back. */
const STILL_COUNTED_DAYS = 3
const BATCH = 500

/**
 * Joins the rows of single database connections into one row for each project, meter and day, once the day is over.
 * Returns how many rows it joined.
 */
export async function joinWriters(ctx: Context, isStopping: () => boolean = () => false): Promise<number> {
  const until = usageDay(ctx.clock.now()) - STILL_COUNTED_DAYS
  let joined = 0
  for (let found = BATCH; found === BATCH && !isStopping(); joined += found)
    found = await ctx.write((tx) => joinSome(tx, until))
  return joined
}

async function joinSome(tx: Tx, until: number): Promise<number> {
  await tx.lock('usage-join')
  const rows = await takeWriters(tx, until, BATCH)
  const sums = new Map<string, Count>()
  for (const row of rows) {
    const name = `${row.projectId} ${row.meter} ${row.day}`
    sums.set(name, { ...row, count: row.count + (sums.get(name)?.count ?? 0) })
  }
  for (const sum of sums.values()) await addJoined(tx, sum)
  return rows.length
}

const joinJob = defineJob({
  name: 'usage.join',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: async (ctx, _payload, isStopping) => void (await joinWriters(ctx, isStopping)),
})

/** Daily. */
export const usageCron = [cronLine({ name: 'usage-join', pattern: '23 3 * * *', job: joinJob })]
