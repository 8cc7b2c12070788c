import type { Tier } from '../../base/config-cloud'
import { isHigher } from './tier'

/** What is used of each limited meter; what a plan includes of it, null = no limit. */
export type Used = Readonly<Record<string, number>>
export type Included = Readonly<Record<string, number | null>>

export interface MonthUse {
  used: Used
  /** At the end of the month; of the present month, now. */
  tier: Tier
  included: Included
}

/** More than the plan includes of at least one meter. Exactly as much is not more. */
export const isOver = ({ used, included }: Pick<MonthUse, 'used' | 'included'>): boolean =>
  Object.entries(included).some(([name, most]) => most !== null && (used[name] ?? 0) > most)

/**
 * A project is locked when both of the last two completed months were over what its plan included at their ends. A higher
 * plan than at the end of the last month ends that at once, when it includes what the present month has used.
 */
export function isLocked([beforeLast, last]: readonly [MonthUse, MonthUse], present: MonthUse): boolean {
  if (!isOver(beforeLast) || !isOver(last)) return false
  return !(isHigher(present.tier, last.tier) && !isOver(present))
}
