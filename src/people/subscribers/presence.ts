import type { Context } from '../../base/context'
import { touchSubscribers } from './queries'

/** Last-seen instants to be written. They are written in batches, so that a read causes no write (wire 2.3). */
export class Presence {
  private readonly seen = new Map<string, number>()

  see(subscriberId: string, now: number): void {
    this.seen.set(subscriberId, now)
  }

  /** Removes and returns everything collected since the last call. */
  take(): [subscriberId: string, at: number][] {
    const entries = [...this.seen]
    this.seen.clear()
    return entries
  }
}

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
