/** The names that this process works on. */
export class IssuerWork {
  private readonly running = new Map<string, Promise<void>>()
  /** When the lease was last taken or extended; null = another process has it. */
  leasedAt: number | null = null

  get size(): number {
    return this.running.size
  }

  has = (name: string): boolean => this.running.has(name)

  /**
   * Starts work on a name, unless there is some already. Failures of the authority are written by the work itself; others
   * come to `onFailure`.
   */
  begin(name: string, work: () => Promise<void>, onFailure: (error: unknown) => void): void {
    if (this.has(name)) return
    const done = work()
      .catch(onFailure)
      .finally(() => this.running.delete(name))
    this.running.set(name, done)
  }

  async ended(): Promise<void> {
    await Promise.all(this.running.values())
  }
}
