/** Last-seen instants to be written. They are written in batches, so that a read causes no write (wire 2.3). */
export class Presence {
  private readonly seen = new Map<string, number>()

  see(subscriberId: string, now: number): void {
    this.seen.set(subscriberId, now)
  }

  /** Removes and returns everything collected since the last call. */
  take(): [subscriberId: string, at: number][] {
    const entries = [...this.seen]
    this.seen.clear()
    return entries
  }
}
