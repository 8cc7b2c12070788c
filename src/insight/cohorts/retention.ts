import { addPeriod } from '../../base/lib/period'
import { isPaidFor } from '../../core/purchase/status'
import { foldAsOf } from '../../people/purchases/fold'
import type { PurchaseFold } from '../../people/purchases/model'
import { statusAt } from '../../people/purchases/status'
import type { Observation } from '../../stores/observation'

/** The most months after the start that are looked at. */
export const MOST_MONTHS = 36

/** One month of starts. */
export interface RetentionRow {
  /** Instant at which the month starts. */
  start: number
  /** How many people started in it. */
  size: number
  /** How many of them were paid n months after their own start, from n = 0. */
  paid: number[]
}

/** A subscription with what is known about it; without observations the saved state is all that is known. */
export interface Subscription {
  fold: PurchaseFold
  observations: readonly Observation[]
}

/** One person at the start, with the subscriptions that they own now. */
export interface Starter {
  startedAt: number
  subscriptions: readonly Subscription[]
}

/**
 * Whether a subscription is paid for at an instant: it is ACTIVE or in its GRACE_PERIOD, is neither a trial nor
 * shared by a family member, and was not free of charge. A price that the store did not tell counts as paid.
 */
export function isPaid(fold: PurchaseFold | null, at: number): boolean {
  if (!fold || at < fold.originalPurchaseDate) return false
  if (fold.isTrial || fold.ownershipType === 'FAMILY_SHARED' || fold.price?.amountMicros === 0) return false
  return isPaidFor(statusAt(fold, at).status)
}

/** The instants 0, 1, 2 ... months after a start, up to `now`, in the UTC calendar; at most `MOST_MONTHS` later. */
export function anniversaries(startedAt: number, now: number): number[] {
  const instants: number[] = []
  for (let months = 0; months <= MOST_MONTHS; months++) {
    const at = addPeriod(startedAt, `P${months}M`)
    if (at > now) break
    instants.push(at)
  }
  return instants
}

/** At which of these ascending instants a person pays for at least one subscription. */
export function paidInstants(subscriptions: readonly Subscription[], instants: readonly number[]): boolean[] {
  const paid = instants.map(() => false)
  for (const subscription of subscriptions) {
    const readState = stateReader(subscription)
    instants.forEach((at, index) => {
      paid[index] ||= isPaid(readState(at), at)
    })
  }
  return paid
}

/** Reads the states at ascending instants; between two observations the state is folded once. */
function stateReader({ fold, observations }: Subscription): (at: number) => PurchaseFold | null {
  if (observations.length === 0) return () => fold
  const times = observations.map(({ eventAt }) => eventAt).sort((a, b) => a - b)
  let [known, state]: [number, PurchaseFold | null] = [0, null]
  return (at) => {
    let count = known
    while (count < times.length && (times[count] ?? 0) <= at) count++
    if (count !== known) state = foldAsOf(observations, fold.productType, at)
    known = count
    return state
  }
}

/** Counts people by the month of their start. A month lists only the n that all its people have reached at `now`. */
export class RetentionTable {
  private readonly rows = new Map<number, { size: number; paid: number[] }>()

  constructor(
    /** The month of an instant: when it starts, and when the next one does. */
    private readonly monthOf: (instant: number) => { start: number; end: number },
    private readonly now: number,
  ) {}

  add({ startedAt, subscriptions }: Starter): void {
    const { start } = this.monthOf(startedAt)
    const row = this.rows.get(start) ?? { size: 0, paid: [] }
    this.rows.set(start, row)
    row.size++
    paidInstants(subscriptions, anniversaries(startedAt, this.now)).forEach((isPaid, months) => {
      row.paid[months] = (row.paid[months] ?? 0) + (isPaid ? 1 : 0)
    })
  }

  /** The oldest month first. */
  toRows(): RetentionRow[] {
    const rows = [...this.rows].sort(([a], [b]) => a - b)
    return rows.map(([start, { size, paid }]) => ({ start, size, paid: paid.slice(0, 1 + this.fullMonths(start)) }))
  }

  /** How many months after their start the last person of a month can have reached. */
  private fullMonths(start: number): number {
    return Math.max(0, anniversaries(this.monthOf(start).end, this.now).length - 1)
  }
}

/** The share of a row that was paid after each number of months, rounded to four decimals. */
export const sharesOf = ({ size, paid }: RetentionRow): number[] =>
  paid.map((count) => (size === 0 ? 0 : Math.round((count / size) * 10_000) / 10_000))
