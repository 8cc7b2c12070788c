/**
 * Work that several callers may want at the same time: of one name, it runs once, and all of them wait for it. It goes on
 * when its callers no longer wait. When the process stops, it ends early, and no other begins.
 */
export class SharedWork {
  private readonly running = new Map<string, Promise<void>>()
  private isStopping = false

  run(name: string, work: (isStopping: () => boolean) => Promise<void>): Promise<void> {
    const known = this.running.get(name)
    if (known) return known
    if (this.isStopping) return Promise.resolve()
    const started = work(() => this.isStopping).finally(() => this.running.delete(name))
    // Where nobody waits any more, the next caller starts it again and gets the error.
    started.catch(() => {})
    this.running.set(name, started)
    return started
  }

  drain(): void {
    this.isStopping = true
  }

  async close(): Promise<void> {
    this.isStopping = true
    await Promise.allSettled(this.running.values())
  }
}
