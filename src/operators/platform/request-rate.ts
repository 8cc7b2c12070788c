import { MINUTE } from '../../base/lib/clock'

interface Sample {
  at: number
  total: number
}

/** How many requests this process answered in the last minute, from samples of a counter. */
export class RequestRate {
  private samples: Sample[] = []

  /** Called every few seconds with the number of requests since the process started. */
  sample(at: number, total: number): void {
    this.samples.push({ at, total })
    // One sample from before the last minute stays: it is where the minute starts.
    while ((this.samples[1]?.at ?? at) <= at - MINUTE) this.samples.shift()
  }

  perMinute(now: number, total: number): number {
    const start = this.samples[0]
    if (!start) return total
    const elapsedMs = Math.max(now - start.at, 1)
    const requests = total - start.total
    return elapsedMs <= MINUTE ? requests : Math.round((requests * MINUTE) / elapsedMs)
  }
}
