import type { Handle } from '../../base/db/handle'
import { listProjectIdsChangedAfter, readRevision } from './queries'

/**
 * Detects configuration changes that other processes made. `check` is called at least once a second, because changes
 * must take effect within 2 s (wire 1.7).
 */
export class ConfigWatch {
  private seen: number | null = null

  constructor(
    private readonly handle: Handle,
    private readonly onChange: (projectId: string) => void,
  ) {}

  async check(): Promise<void> {
    const revision = await readRevision(this.handle)
    if (this.seen !== null && revision === this.seen) return
    const changed = await listProjectIdsChangedAfter(this.handle, this.seen ?? 0)
    this.seen = revision
    for (const projectId of changed) this.onChange(projectId)
  }
}
