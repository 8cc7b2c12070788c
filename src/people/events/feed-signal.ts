import type { Ids } from '../../base/lib/ids'

/** Rings when this process has committed events of a project, so that a waiting reader of the feed looks again. */
export class FeedBell {
  private readonly rings = new Map<string, number>()
  private readonly waiting = new Map<string, Set<() => void>>()
  private isClosed = false

  /** How often it rang; taken before a read, it lets `next` notice what was committed during the read. */
  heard(projectId: string): number {
    return this.rings.get(projectId) ?? 0
  }

  ring(projectId: string): void {
    this.rings.set(projectId, this.heard(projectId) + 1)
    for (const wake of this.waiting.get(projectId) ?? []) wake()
  }

  /** Waits for a ring after `heard`, at most `ms`, and not at all for a caller who has left. */
  async next(projectId: string, heard: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.isClosed || signal.aborted || this.heard(projectId) !== heard) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = this.waiting.get(projectId) ?? new Set()
    this.waiting.set(projectId, waiting.add(resolve))
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
    waiting.delete(resolve)
    if (waiting.size === 0 && this.waiting.get(projectId) === waiting) this.waiting.delete(projectId)
  }

  get hasEnded(): boolean {
    return this.isClosed
  }

  /** Lets all who wait go at once and nobody wait again: the server stops. */
  close(): void {
    this.isClosed = true
    for (const waiting of this.waiting.values()) for (const wake of waiting) wake()
  }
}

const bells = new WeakMap<Ids, FeedBell>()

/** The bell of a process: a context and its transactions share their ids. */
export function bellOf({ ids }: { ids: Ids }): FeedBell {
  const bell = bells.get(ids) ?? new FeedBell()
  bells.set(ids, bell)
  return bell
}
