import type { Claim, Room } from './claim'
import type { TargetHealth } from './tables'

/** Attempts at once in this process, and for one target (wire 5.10). */
const AT_ONCE = 64
const PER_TARGET = 4

/**
 * Of all attempts, those of slow targets, and those of slow and new ones together. What is left is for quick ones, so
 * that a thousand receivers that hang delay only each other.
 */
const SLOW_AT_ONCE = 28
const UNPROVEN_AT_ONCE = 36

/** Which attempts are under way in this process. */
export class Slots {
  private readonly byTarget = new Map<string, number>()
  private readonly byHealth: Record<TargetHealth, number> = { QUICK: 0, NEW: 0, SLOW: 0 }

  take({ target }: Claim): void {
    this.byHealth[target.health]++
    this.byTarget.set(target.targetId, this.countOf(target.targetId) + 1)
  }

  free({ target }: Claim): void {
    this.byHealth[target.health]--
    const left = this.countOf(target.targetId) - 1
    if (left > 0) this.byTarget.set(target.targetId, left)
    else this.byTarget.delete(target.targetId)
  }

  get isEmpty(): boolean {
    return this.byTarget.size === 0
  }

  room(): Room {
    const { QUICK, NEW, SLOW } = this.byHealth
    const all = AT_ONCE - QUICK - NEW - SLOW
    const unproven = Math.min(all, UNPROVEN_AT_ONCE - NEW - SLOW)
    return {
      of: { QUICK: all, NEW: unproven, SLOW: Math.min(unproven, SLOW_AT_ONCE - SLOW) },
      all,
      full: new Set(this.byTarget.keys()),
      // A target gets one at a time until it answers well and quickly.
      forTarget: (targetId, health) => (health === 'QUICK' ? PER_TARGET : 1) - this.countOf(targetId),
    }
  }

  private countOf(targetId: string): number {
    return this.byTarget.get(targetId) ?? 0
  }
}
