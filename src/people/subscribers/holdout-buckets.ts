import type { Context } from '../../base/context'
import { holdoutBucketOf } from './first-key'
import { listWithoutBucket, updateSubscriber } from './queries'

const BATCH = 200

/** Computes the holdout bucket of rows that an older release wrote without one; returns the number of rows. */
export async function fillHoldoutBuckets(ctx: Context, isStopping = () => false): Promise<number> {
  let filled = 0
  for (let found = BATCH; found === BATCH && !isStopping(); filled += found) {
    const rows = await listWithoutBucket(ctx, BATCH)
    await ctx.write(async (tx) => {
      for (const row of rows) await updateSubscriber(tx, row.id, { holdoutBucket: holdoutBucketOf(row) })
    })
    found = rows.length
  }
  return filled
}
