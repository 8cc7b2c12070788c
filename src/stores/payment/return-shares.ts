import type { Money } from '../../base/lib/money'
import type { Marker, Observation } from '../observation'
import type { NamedRefunds } from './credit-notes'
import { fromSmallestUnit } from './currency'
import type { DecodedLine } from './decoded-line'
import { divideMarkers } from './divide-markers'
import type { PaidCharge } from './returns'

/**
 * The lines with the markers of a charge that paid for them. What was returned completely is so of each line; a part is of
 * the lines that a credit note names, else it is divided in proportion to what is left of each line.
 */
export function markLines(
  lines: readonly DecodedLine[],
  { transactionId }: PaidCharge,
  markers: readonly Marker[],
  named: NamedRefunds,
): DecodedLine[] {
  const prices = lines.map(({ observations }) => priceOf(observations, transactionId))
  const concerned = prices.filter((price) => price !== undefined).length
  if (concerned === 0) return firstMarked(lines, markers)
  const paid = lines.map(({ lineKey }, index) => ({ lineKey, paid: prices[index]?.amountMicros ?? 0 }))
  const shares = concerned > 1 ? divideMarkers(markers, paid, named) : null
  return lines.map((line, index) => {
    if (prices[index] === undefined) return line
    const own = markers.flatMap((marker) => shareMarker(marker, shares?.get(marker)?.[index]))
    return { ...line, observations: [...line.observations, ...own] }
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

function shareMarker(marker: Marker, share: number | undefined): Marker[] {
  if (share === undefined || !marker.amount) return [marker]
  return share === 0 ? [] : [{ ...marker, amount: { ...marker.amount, amountMicros: share } }]
}
