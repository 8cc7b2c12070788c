import type { LocalDays } from '../../base/lib/local-days'
import type { Life } from '../figures/lives'
import type { ChartValues } from './chart'

/** A subscription from its first charge on, with its money. */
export interface Lifeline extends Life {
  /** Ascending; charges less what was given back, USD micros. */
  net: { at: number; micros: number }[]
}

/** What decides how old a subscription is, and up to when something is known. */
export interface Ages {
  days: LocalDays
  until: number
}

/** Collects the subscriptions of one cell. */
export interface LifeCell<Digest> {
  add: (digest: Digest) => void
  values: () => ChartValues
}

/** Reckons the values of cells by the first charges. Each subscription is digested once, and then let go. */
export interface Reckoner<Digest> {
  digest: (life: Lifeline) => Digest
  cell: () => LifeCell<Digest>
}

export type Reckon<Digest = unknown> = (ages: Ages) => Reckoner<Digest>
