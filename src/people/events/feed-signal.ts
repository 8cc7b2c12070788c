/** Wakes the waiting readers of a project's feed when this process has committed events of the project. */
export class FeedSignal {
  private readonly counts = new Map<string, number>()
  private readonly waiting = new Map<string, Set<() => void>>()
  private readonly listeners = new Set<(projectId: string) => void>()
  private isClosed = false

  /** The number of commits so far. Take it before a read; with it, `next` notices a commit that came during the read. */
  count(projectId: string): number {
    return this.counts.get(projectId) ?? 0
  }

  notify(projectId: string): void {
    this.counts.set(projectId, this.count(projectId) + 1)
    for (const wake of this.waiting.get(projectId) ?? []) wake()
    for (const listener of this.listeners) listener(projectId)
  }

  /** Calls `listener` after each commit of this process that has written events. Returns the function that ends it. */
  listen(listener: (projectId: string) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /**
   * Waits until the number of commits is no longer `seen`, but at most `ms` milliseconds. Returns early when the caller
   * leaves and when the server stops.
   */
  async next(projectId: string, seen: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.isClosed || signal.aborted || this.count(projectId) !== seen) return
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

  /** For the stop of the server: ends every wait now, and lets no later call wait. */
  drain(): void {
    this.isClosed = true
    for (const waiting of this.waiting.values()) for (const wake of waiting) wake()
  }
}
