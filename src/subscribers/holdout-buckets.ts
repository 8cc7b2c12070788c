import type { Context } from '../context'
import { bucket, HOLDOUT_SALT } from '../lib/bucket'
import { listWithoutBucket, updateSubscriber } from './queries'

const BATCH = 200

/** Gives rows that an older release wrote their bucket of the holdout; returns how many. */
export async function fillHoldoutBuckets(ctx: Context, isStopping = () => false): Promise<number> {
  let filled = 0
  for (let found = BATCH; found === BATCH && !isStopping(); filled += found) {
    const rows = await listWithoutBucket(ctx, BATCH)
    await ctx.write(async (tx) => {
      for (const { id, deviceKey } of rows)
        await updateSubscriber(tx, id, { holdoutBucket: bucket(deviceKey, HOLDOUT_SALT) })
    })
    found = rows.length
  }
  return filled
}
