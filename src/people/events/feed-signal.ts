/** Tells when this process has committed events of a project, so that a waiting reader of the feed looks again. */
export class FeedSignal {
  private readonly counts = new Map<string, number>()
  private readonly waiting = new Map<string, Set<() => void>>()
  private isClosed = false

  /** How many commits it told of; taken before a read, it lets `next` notice what was committed during the read. */
  count(projectId: string): number {
    return this.counts.get(projectId) ?? 0
  }

  notify(projectId: string): void {
    this.counts.set(projectId, this.count(projectId) + 1)
    for (const wake of this.waiting.get(projectId) ?? []) wake()
  }

  /** Waits for a commit after the first `seen`, at most `ms`, and not at all for a caller who has left. */
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

  /** Lets all who wait go at once and nobody wait again: the server stops. */
  drain(): void {
    this.isClosed = true
    for (const waiting of this.waiting.values()) for (const wake of waiting) wake()
  }
}
