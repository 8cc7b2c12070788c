import { TIERS, type Tier } from '../../base/config-cloud'

/** From `changedAt` a project has the tier by hand: until `until`, or until the next change. FREE ends a plan by hand. */
export interface PlanChange {
  changedAt: number
  tier: Tier
  until: number | null
}

/** The last change up to an instant decides. `changes` are in the order in which they were made. */
export function tierAt(changes: readonly PlanChange[], instant: number): Tier {
  const last = changes.findLast(({ changedAt }) => changedAt <= instant)
  return !last || (last.until !== null && last.until <= instant) ? 'FREE' : last.tier
}

export const isHigher = (one: Tier, other: Tier): boolean => TIERS.indexOf(one) > TIERS.indexOf(other)

export const higherOf = (one: Tier, other: Tier): Tier => (isHigher(other, one) ? other : one)
