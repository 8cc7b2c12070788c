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
 * What is not named is divided in proportion to what the lines paid; after a named refund, to what is left of them. A
 * reversal has the shares of its refund.
 */
export function divideMarkers(
  markers: readonly Marker[],
  lines: readonly PaidLine[],
  named: NamedRefunds,
): ReadonlyMap<Marker, Shares> {
  const weights = lines.map(({ paid }) => paid)
  const failed = new Set(markers.filter(({ kind }) => kind === 'REVERSAL').map(idOfReturn))
  const shares = new Map<string, Shares>()
  let [left, isNamed] = [weights, false]
  for (const marker of markers.filter(({ kind }) => kind === 'REFUND').toSorted(byTime)) {
    const id = idOfReturn(marker)
    const own = named.get(id)
    isNamed ||= own !== undefined
    const wanted = own && lines.map(({ lineKey }) => (own.get(lineKey) ?? 0) * unitOf(marker))
    const share = wanted ? namedShares(marker, wanted, left) : dividedShares(marker, isNamed ? left : weights)
    shares.set(id, share)
    if (share && !failed.has(id)) left = left.map((rest, index) => Math.max(0, rest - (share[index] ?? 0)))
  }
  return new Map(markers.map((marker) => [marker, shares.get(idOfReturn(marker)) ?? dividedShares(marker, weights)]))
}

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
  const rest = marker.amount.amountMicros - taken.reduce((sum, share) => sum + share, 0)
  const unnamed = { ...marker, amount: { ...marker.amount, amountMicros: Math.max(0, rest) } }
  const other = dividedShares(
    unnamed,
    left.map((all, index) => all - (taken[index] ?? 0)),
  )
  return taken.map((share, index) => share + (other?.[index] ?? 0))
}
