import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { addCalls, type CallRow } from './queries'
import type { SeenSdk } from './seen-sdk'

/** So that made-up versions cannot fill the table. */
const MAX_WAITING = 2000

/** Calls of SDKs that are counted in memory until the next write. */
export class SdkCallCounts {
  private readonly waiting = new Map<string, CallRow>()

  constructor(private readonly now: () => number) {}

  count(projectId: string, { platform, flavor, version }: SeenSdk, call: string, outcome: string): void {
    const day = Math.floor(this.now() / DAY) * DAY
    this.add({ projectId, day, platform, flavor, version, call, outcome, count: 1 })
  }

  private add(row: CallRow): void {
    const { projectId, day, platform, flavor, version, call, outcome } = row
    const key = `${projectId}\n${day}\n${platform}\n${flavor}\n${version}\n${call}\n${outcome}`
    const held = this.waiting.get(key)
    if (held) held.count += row.count
    else if (this.waiting.size < MAX_WAITING) this.waiting.set(key, row)
  }

  /** Writes the counts. When that fails, they wait for the next write. */
  async flush(ctx: Context): Promise<void> {
    const rows = [...this.waiting.values()]
    if (rows.length === 0) return
    this.waiting.clear()
    try {
      await ctx.write((tx) => addCalls(tx, rows))
    } catch (error) {
      for (const row of rows) this.add(row)
      throw error
    }
  }
}
