import type { Context } from '../../base/context'
import { addResolutions } from './metric-queries'

/** How often placements were resolved. The counts are written in batches, so that a read causes no write. */
export class Resolutions {
  private counts = new Map<string, Map<string, number>>()

  count(projectId: string, identifier: string): void {
    const own = this.counts.get(projectId) ?? new Map<string, number>()
    this.counts.set(projectId, own.set(identifier, (own.get(identifier) ?? 0) + 1))
  }

  /** Writes what was counted since the last call. */
  async flush(ctx: Context): Promise<void> {
    const rows = [...this.counts].flatMap(([projectId, own]) =>
      [...own].map(([identifier, resolutions]) => ({ projectId, identifier, resolutions })),
    )
    if (rows.length === 0) return
    this.counts = new Map()
    try {
      await ctx.write((tx) => addResolutions(tx, rows))
    } catch (error) {
      for (const { projectId, identifier, resolutions } of rows) this.giveBack(projectId, identifier, resolutions)
      throw error
    }
  }

  private giveBack(projectId: string, identifier: string, resolutions: number): void {
    const own = this.counts.get(projectId) ?? new Map<string, number>()
    this.counts.set(projectId, own.set(identifier, (own.get(identifier) ?? 0) + resolutions))
  }
}
