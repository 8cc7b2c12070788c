import type { Context } from '../context'
import { HOUR } from '../lib/clock'
import { saveFinding } from './queries'

/** What a running server noticed about how it is set up, for `svc doctor`, which only sees the database. */
export interface Findings {
  /** A page of another origin was refused, while a person may have been at the dashboard. */
  'other origin': { seen: string; expected: string }
  /** One address made many new subscribers in a minute, and no proxy is believed. */
  'one address': { subscribers: number; limit: number }
}

export type FindingName = keyof Findings

/** A finding is written again after this time at the earliest, so that no caller can make the server write often. */
const AGAIN_MS = HOUR

/** Collects findings; a loop writes them. */
export class FindingLog {
  private readonly waiting = new Map<FindingName, Findings[FindingName]>()
  private readonly notedAt = new Map<FindingName, number>()

  /** Returns whether it is the first of its name in an hour. */
  note<Name extends FindingName>(name: Name, facts: Findings[Name], now: number): boolean {
    const before = this.notedAt.get(name)
    if (before !== undefined && now - before < AGAIN_MS) return false
    this.notedAt.set(name, now)
    this.waiting.set(name, facts)
    return true
  }

  async flush(ctx: Context): Promise<void> {
    if (this.waiting.size === 0) return
    const noted = [...this.waiting]
    this.waiting.clear()
    const foundAt = ctx.clock.now()
    await ctx.write(async (tx) => {
      for (const [name, facts] of noted) await saveFinding(tx, { name, facts: { ...facts }, foundAt })
    })
  }
}
