import { DAY } from '../../base/lib/clock'
import type { Commission } from '../../projects/connections/commission-rates'
import type { ProductType, Store } from '../../stores/observation'
import { isCharge } from './lines'
import type { TransactionKind } from './model'

// The only rule for what a store keeps (wire 5.11): figures, webhooks and exports ask here.

/** In millionths: what an app store keeps in the first year of paid service, and afterwards. */
const FIRST_YEAR = 300_000
const LATER = 150_000

/** A charge, as far as it decides what its store keeps. */
export interface ChargeFacts {
  store: Store
  productType: ProductType
  /** When it was charged. What is given back has the rate of its charge. */
  chargedAt: number
  /** The first charge of the purchase that was paid; null = none was. */
  paidSince: number | null
}

/**
 * What the store keeps of a charge, in millionths: the rate of the project, else the usual one. Google keeps one rate of
 * a subscription from its first day. Otherwise the first year is a calendar year in UTC from the first paid charge on, so
 * the days of a trial are no part of it.
 */
export function commissionRate({ store, productType, chargedAt, paidSince }: ChargeFacts, own: Commission): number {
  const rate = own[store]
  if (rate !== undefined && rate !== null) return rate
  if (store !== 'IOS_STORE' && store !== 'ANDROID_STORE') return 0
  if (store === 'ANDROID_STORE' && productType === 'SUBSCRIPTION') return LATER
  return paidSince === null || isInFirstYear(chargedAt, paidSince) ? FIRST_YEAR : LATER
}

/** No calendar year is shorter than 365 days, so mostly the calendar need not be asked. */
const isInFirstYear = (at: number, since: number): boolean => at < since + 365 * DAY || at < yearAfter(since)

/** The first charge of more than nothing; undefined = none was paid. */
export const firstPaid = <Line extends { kind: TransactionKind; occurredAt: number }>(
  lines: readonly Line[],
  microsOf: (line: Line) => number | null,
): Line | undefined =>
  lines
    .filter((line) => isCharge(line) && line.kind !== 'GRANT' && (microsOf(line) ?? 0) > 0)
    .toSorted((a, b) => a.occurredAt - b.occurredAt)[0]

/** A calendar year in UTC; the 29th of February ends with the 28th. */
const yearAfter = (instant: number): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC').add({ years: 1 }).epochMilliseconds
