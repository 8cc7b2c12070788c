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
  const earlier: Earlier[] = []
  for (const marker of markers.filter(({ kind }) => kind === 'REFUND').toSorted(byTime)) {
    const id = idOfReturn(marker)
    const own = named.get(id)
    const wanted = own && lines.map(({ lineKey }) => (own.get(lineKey) ?? 0) * unitOf(marker))
    const left = leftFor(weights, earlier, { amount: marker.amount?.amountMicros ?? 0, wanted })
    const share = wanted ? namedShares(marker, wanted, left) : dividedShares(marker, left)
    earlier.push({ id, share, isNamed: wanted !== undefined, hasFailed: failed.has(id) })
  }
  const shares = new Map(earlier.map(({ id, share }) => [id, share]))
  return new Map(markers.map((marker) => [marker, shares.get(idOfReturn(marker)) ?? dividedShares(marker, weights)]))
}

/** A refund before another one, with its shares. */
interface Earlier {
  id: string
  share: Shares
  /** Whether credit notes name its lines. */
  isNamed: boolean
  hasFailed: boolean
}

/** In micros; `wanted`: what credit notes name of each line. */
interface Wanted {
  amount: number
  wanted: readonly number[] | undefined
}

/**
 * What is left of the lines for a refund, by those before it. The provider does not say when a refund failed. One that
 * failed counts as long as it can have failed later. It had failed before where the provider could not refund so much of the
 * charge; one with a credit note also where both notes together are more than a line. How a refund without a note was
 * divided does not show that, for the seller did not divide it.
 */
function leftFor(
  weights: readonly number[],
  earlier: readonly Earlier[],
  { amount, wanted }: Wanted,
): readonly number[] {
  const counted = [...earlier]
  for (;;) {
    const left = leftOf(weights, counted)
    const isPossible = sumOf(left) >= amount
    const byNotes = leftOf(
      weights,
      counted.filter(({ isNamed }) => isNamed),
    )
    const isNoted = byNotes.every((rest, index) => rest >= Math.min(wanted?.[index] ?? 0, weights[index] ?? 0))
    const first = counted.findIndex(({ hasFailed, isNamed }) => hasFailed && (!isPossible || (!isNoted && isNamed)))
    if (first < 0) return left
    counted.splice(first, 1)
  }
}

const leftOf = (weights: readonly number[], earlier: readonly Earlier[]): readonly number[] =>
  earlier.reduce((rest, { share }) => less(rest, share), weights)

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
