import type { LocalDays } from '../../base/lib/local-days'
import type { Cell } from '../figures/cells'
import type { Life } from '../figures/lives'
import type { MetricValues } from './metric'

export const RETENTION = {
  name: 'retention',
  summary: 'How many subscriptions are still paid for',
  definition:
    'The subscriptions that were first charged more than nothing in the cell: size is their number, shares[n] the share of them that is paid for n months later, in the project’s time zone. A share appears when all of them have reached it.',
}

/** @param now the last instant about which something is known */
export function retentionValues(lives: readonly Life[], cell: Cell, days: LocalDays, now: number): MetricValues {
  const cohort = lives.filter(({ firstChargedAt: at }) => at >= cell.start && at < cell.end)
  const shares: number[] = []
  for (let months = 0; cohort.length > 0; months++) {
    const instants = cohort.map((life) => ({ life, at: days.plusMonths(life.firstChargedAt, months) }))
    if (instants.some(({ at }) => at > now)) break
    shares.push(instants.filter(({ life, at }) => isPaidAt(life, at)).length / cohort.length)
  }
  return { size: cohort.length, shares }
}

const isPaidAt = ({ changes }: Life, at: number): boolean =>
  changes.reduce((sum, one) => (one.at <= at ? sum + one.change : sum), 0) > 0
