import type { Span } from './calendar'
import { rounded } from './money'
import type { World } from './world'

/** A count or a share as a number, money as the digits of a whole number of micros, null = there is none. */
export type Value = number | string | null | number[]
export type Values = Record<string, Value>

export interface Series {
  cells: { start: string; values: Values }[]
  /** The same figures of the whole window. */
  totals: Values
  /** What was left out because it has no rate or no period. */
  unconverted: number
}

export interface Reckoning extends Series {
  groups?: ({ key: string | null } & Series)[]
}

export interface Metric {
  /** The figures of one cell. */
  values: (world: World, span: Span) => Values
  unconverted: (world: World, window: Span) => number
}

export const isWithin = ({ start, end }: Span, at: number): boolean => start <= at && at < end

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

export const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

export const text = (amount: bigint): string => String(amount)

/** Amount divided by a number of people, to the nearest micro; null = nobody. */
export const perHead = (amount: bigint, heads: number): string | null =>
  heads === 0 ? null : text(rounded({ above: amount, below: BigInt(heads) }))
