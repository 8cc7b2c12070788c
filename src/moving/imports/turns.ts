import { monotonicMs, SECOND } from '../../base/lib/clock'

/** How long an import waits before it asks for a place again. */
export const WAIT_MS = 15 * SECOND

/** How long an import may keep the second place while another project waits. */
const SHORT_MS = 10 * SECOND

/** Some more than the time after which who waits has asked again. */
const WAITING_MS = WAIT_MS + 5 * SECOND

interface Place {
  isSecond: boolean
  sinceMs: number
}

/**
 * Two places for the imports of a process, of two projects. The import in the first place runs to its end. The one in
 * the second place gives it up after a while when another project waits: so a small import never waits for large ones.
 */
export class ImportTurns {
  private readonly places = new Map<string, Place>()
  private awaitedUntilMs = 0

  /** False when the import must wait: its project has a place already, or both places are taken. */
  take(projectId: string, nowMs: number = monotonicMs()): boolean {
    if (this.places.has(projectId)) return false
    if (this.places.size > 1) {
      this.awaitedUntilMs = nowMs + WAITING_MS
      return false
    }
    this.places.set(projectId, { isSecond: this.places.size === 1, sinceMs: nowMs })
    return true
  }

  /** Whether the import of the project is to make room. */
  mustYield(projectId: string, nowMs: number = monotonicMs()): boolean {
    const place = this.places.get(projectId)
    return place?.isSecond === true && nowMs - place.sinceMs >= SHORT_MS && nowMs < this.awaitedUntilMs
  }

  /** The import that is left has the first place then. */
  free(projectId: string): void {
    this.places.delete(projectId)
    for (const place of this.places.values()) place.isSecond = false
  }
}
