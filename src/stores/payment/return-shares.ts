import { divide } from '../../base/lib/divide'
import type { Money } from '../../base/lib/money'
import type { Marker, Observation } from '../observation'
import { fromSmallestUnit, smallestUnit } from './currency'
import type { DecodedLine } from './decoded-line'
import type { PaidCharge } from './returns'

/**
 * The lines with the markers of a charge that paid for them. What was returned completely is so of each line; a part is
 * divided in proportion to what each line cost. When several parts came to the whole charge, the rounding of the parts may
 * leave some of a line, so one more marker returns it.
 */
export function markLines(
  lines: readonly DecodedLine[],
  { charge, transactionId, isWhole }: PaidCharge,
  markers: readonly Marker[],
): DecodedLine[] {
  const paid = lines.map(({ observations }) => priceOf(observations, transactionId))
  const concerned = paid.filter((price) => price !== undefined).length
  if (concerned === 0) return firstMarked(lines, markers)
  const weights = paid.map((price) => price?.amountMicros ?? 0)
  const shares = markers.map((marker) => sharesOf(marker, concerned > 1 ? weights : null))
  const isDivided = concerned > 1 && markers.filter(({ kind, amount }) => kind === 'REFUND' && amount).length > 1
  const rest = isDivided && isWhole && charge.refunded ? [restMarker(charge.id, transactionId, markers)] : []
  return lines.map((line, index) => {
    if (paid[index] === undefined) return line
    const own = markers.flatMap((marker, at) => shareMarker(marker, shares[at]?.[index]))
    return { ...line, observations: [...line.observations, ...own, ...rest] }
  })
}

/** The charge of an invoice that is not among the newest: it is not known which lines it paid, so the first line has it. */
const firstMarked = (lines: readonly DecodedLine[], markers: readonly Marker[]): DecodedLine[] =>
  lines.map((line, index) => (index === 0 ? { ...line, observations: [...line.observations, ...markers] } : line))

/** Whether a charge paid the whole price of a transaction. An invoice can be paid in parts. */
export function paysAll(
  { amount, currency }: PaidCharge['charge'],
  transactionId: string,
  lines: readonly DecodedLine[],
): boolean {
  const prices = lines
    .map(({ observations }) => priceOf(observations, transactionId))
    .filter((price) => price !== undefined)
  const charged = fromSmallestUnit(amount, currency)
  const isSame = prices.every((price) => price?.currency === charged?.currency)
  const total = prices.reduce((sum, price) => sum + (price?.amountMicros ?? 0), 0)
  return prices.length === 0 || !charged || !isSame || charged.amountMicros >= total
}

/** What a line paid in a transaction; undefined when the transaction has nothing of it. */
function priceOf(observations: readonly Observation[], transactionId: string): Money | null | undefined {
  for (const one of observations) {
    if (one.kind !== 'REPORT') continue
    if (one.transaction?.transactionId === transactionId) return one.transaction.price
    if (one.adjustment?.transactionId === transactionId) return one.adjustment.price
  }
  return undefined
}

/** The amounts of a marker for each line; null when it concerns the whole of each. */
function sharesOf({ amount }: Marker, weights: readonly number[] | null): number[] | null {
  if (!amount || !weights) return null
  const unit = smallestUnit(amount.currency)
  return divide(amount.amountMicros / unit, weights).map((share) => share * unit)
}

function shareMarker(marker: Marker, share: number | undefined): Marker[] {
  if (share === undefined || !marker.amount) return [marker]
  return share === 0 ? [] : [{ ...marker, amount: { ...marker.amount, amountMicros: share } }]
}

function restMarker(chargeId: string, transactionId: string, markers: readonly Marker[]): Marker {
  const eventAt = Math.max(...markers.map((marker) => marker.eventAt))
  return { kind: 'REFUND', id: `refund:rest:${chargeId}`, eventAt, transactionId, amount: null }
}
