/** Last-seen instants waiting to be written: a read must not cost a write, so they go out in groups (wire 2.3). */
export class Presence {
  private readonly seen = new Map<string, number>()

  see(subscriberId: string, now: number): void {
    this.seen.set(subscriberId, now)
  }

  /** Takes what has gathered since the last call. */
  take(): [subscriberId: string, at: number][] {
    const entries = [...this.seen]
    this.seen.clear()
    return entries
  }
}
