import { invalid } from '../../base/errors'
import { DAY, MINUTE } from '../../base/lib/clock'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { Span } from './history'

/** The store's clock is another one. */
const MARGIN_MS = MINUTE

export interface HistoryOrder {
  environment: PurchaseEnvironment
  /** Both included; left out, all that the store remembers. */
  from?: number | undefined
  to?: number | undefined
  /** Goes on where an earlier fetch of the same span has stopped. */
  page?: string | undefined
}

/** The span asked for, within what the store remembers. */
export function toSpan({ from, to }: Pick<HistoryOrder, 'from' | 'to'>, reachMs: number, now: number): Span {
  const earliest = now - reachMs + MARGIN_MS
  const span = { from: from ?? earliest, to: to ?? now }
  if (span.from < earliest - MARGIN_MS) throw invalid(`The store remembers ${reachMs / DAY} days; begin later`)
  if (span.from >= span.to) throw invalid('The span must begin before it ends')
  return span
}
