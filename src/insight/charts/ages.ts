import { localDays } from '../../base/lib/local-days'
import { fastMonths } from '../figures/fast-months'
import type { SumScope } from '../figures/sums'
import type { Ages } from './reckoner'

export const agesOf = ({ timezone = 'UTC', now, knownBefore }: SumScope): Ages => ({
  days: fastMonths(localDays(timezone)),
  until: untilOf({ now, knownBefore }),
})

/** The last instant about which something is known. */
export const untilOf = ({ now, knownBefore }: Pick<SumScope, 'now' | 'knownBefore'>): number =>
  knownBefore === null ? now : Math.min(now, knownBefore - 1)
