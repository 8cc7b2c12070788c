import { divide } from '../../base/lib/divide'
import type { Marker } from '../observation'
import type { NamedRefunds } from './credit-notes'
import { smallestUnit } from './currency'

/** What a line of a transaction paid, in micros. */
export interface PaidLine {
  lineKey: string
  paid: number
}

/** The amounts of a marker for each line, in micros; null when it concerns the whole of each. */
export type Shares = readonly number[] | null

/**
 * The shares of each marker. A refund that credit notes name is of the lines that they name, up to what is left of them.
 * What is not named is divided in proportion to what is left of the lines, so that refunds of the whole charge return the
 * whole of each line. A reversal has the shares of its refund. The shares of a refund depend on those before it only, so
 * they stay when a refund before it fails.
 */
export function divideMarkers(
  markers: readonly Marker[],
  lines: readonly PaidLine[],
  named: NamedRefunds,
): ReadonlyMap<Marker, Shares> {
  const weights = lines.map(({ paid }) => paid)
  const failed = new Set(markers.filter(({ kind }) => kind === 'REVERSAL').map(idOfReturn))
  const shares = new Map<string, Shares>()
  for (const marker of markers.filter(({ kind }) => kind === 'REFUND').toSorted(byTime)) {
    const id = idOfReturn(marker)
    const own = named.get(id)
    const wanted = own && lines.map(({ lineKey }) => (own.get(lineKey) ?? 0) * unitOf(marker))
    const isEnough = (left: readonly number[]) =>
      sumOf(left) >= (marker.amount?.amountMicros ?? 0) && left.every((rest, index) => rest >= (wanted?.[index] ?? 0))
    const left = leftFor(weights, [...shares], failed, isEnough)
    shares.set(id, wanted ? namedShares(marker, wanted, left) : dividedShares(marker, left))
  }
  return new Map(markers.map((marker) => [marker, shares.get(idOfReturn(marker)) ?? dividedShares(marker, weights)]))
}

/**
 * What is left of the lines for a refund, by those before it. One that failed counts as long as there is enough left, for
 * it may have failed later; else the first of them had failed before.
 */
function leftFor(
  weights: readonly number[],
  earlier: readonly (readonly [id: string, share: Shares])[],
  failed: ReadonlySet<string>,
  isEnough: (left: readonly number[]) => boolean,
): readonly number[] {
  const counted = [...earlier]
  for (;;) {
    const left = counted.reduce((rest, [, share]) => less(rest, share), weights)
    const first = counted.findIndex(([id]) => failed.has(id))
    if (first < 0 || isEnough(left)) return left
    counted.splice(first, 1)
  }
}

const less = (left: readonly number[], share: Shares): readonly number[] =>
  left.map((rest, index) => (share ? Math.max(0, rest - (share[index] ?? 0)) : 0))

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** The provider's id in the id of a marker: `refund:re_1` and `reversal:re_1` are of one refund. */
const idOfReturn = ({ id }: Marker): string => id.slice(id.indexOf(':') + 1)

const byTime = (a: Marker, b: Marker): number => a.eventAt - b.eventAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const unitOf = ({ amount }: Marker): number => (amount ? smallestUnit(amount.currency) : 1)

function dividedShares(marker: Marker, weights: readonly number[]): Shares {
  const unit = unitOf(marker)
  return marker.amount && divide(Math.trunc(marker.amount.amountMicros / unit), weights).map((share) => share * unit)
}

/** More than is left of a line is divided among the others. */
function namedShares(marker: Marker, wanted: readonly number[], left: readonly number[]): Shares {
  if (!marker.amount) return null
  const taken = wanted.map((share, index) => Math.min(share, left[index] ?? 0))
  const rest = marker.amount.amountMicros - sumOf(taken)
  const unnamed = { ...marker, amount: { ...marker.amount, amountMicros: Math.max(0, rest) } }
  const other = dividedShares(
    unnamed,
    left.map((all, index) => all - (taken[index] ?? 0)),
  )
  return taken.map((share, index) => share + (other?.[index] ?? 0))
}
