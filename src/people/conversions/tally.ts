import { dayOf } from '../../projects/exchange-rates/day'
import type { CurrencyTally } from './tables'

/** An amount in dollars that a conversion gives a transaction. */
export interface Correction {
  id: string
  currency: string
  occurredAt: number
  before: number | null
  after: number | null
}

export type Tallies = Readonly<Record<string, CurrencyTally>>

/** The tallies with these corrections as well. Sums are exact: they are kept as digits. */
export function tallied(tallies: Tallies, corrections: readonly Correction[]): Record<string, CurrencyTally> {
  const next: Record<string, CurrencyTally> = { ...tallies }
  for (const one of corrections) next[one.currency] = add(next[one.currency], one)
  return next
}

function add(held: CurrencyTally | undefined, { occurredAt, before, after }: Correction): CurrencyTally {
  const day = dayOf(occurredAt)
  const { changed, completed, firstDay, lastDay, ...sums } = held ?? {
    ...{ changed: 0, completed: 0, firstDay: day, lastDay: day },
    ...{ before: '0', after: '0' },
  }
  return {
    changed: changed + 1,
    completed: completed + (before === null ? 1 : 0),
    firstDay: Math.min(firstDay, day),
    lastDay: Math.max(lastDay, day),
    before: String(BigInt(sums.before) + BigInt(before ?? 0)),
    after: String(BigInt(sums.after) + BigInt(after ?? 0)),
  }
}
