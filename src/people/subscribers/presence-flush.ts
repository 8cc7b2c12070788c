import type { Context } from '../../base/context'
import { touchSubscribers } from './queries'

const BATCH = 400

/** Writes the collected last-seen instants in batches. Every row of a batch gets the newest instant of the batch. */
export async function flushPresence(ctx: Context): Promise<void> {
  const seen = ctx.state.presence.take()
  for (let start = 0; start < seen.length; start += BATCH) {
    const batch = seen.slice(start, start + BATCH)
    const newest = Math.max(...batch.map(([, at]) => at))
    await ctx.write((tx) =>
      touchSubscribers(
        tx,
        batch.map(([id]) => id),
        newest,
      ),
    )
  }
}
