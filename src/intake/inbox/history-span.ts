import { invalid } from '../../base/errors'
import { DAY, MINUTE } from '../../base/lib/clock'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { Span } from './history'

/** The store's clock may differ from ours. */
const MARGIN_MS = MINUTE

export interface HistoryOrder {
  environment: PurchaseEnvironment
  /** Both inclusive. Default: the whole history that the store keeps. */
  from?: number | undefined
  to?: number | undefined
  /** The page at which an earlier fetch of the same span stopped. */
  page?: string | undefined
}

/** The requested span; throws 400 when it starts before the store's history or does not start before it ends. */
export function toSpan({ from, to }: Pick<HistoryOrder, 'from' | 'to'>, reachMs: number, now: number): Span {
  const earliest = now - reachMs + MARGIN_MS
  const span = { from: from ?? earliest, to: to ?? now }
  if (span.from < earliest - MARGIN_MS) throw invalid(`The store remembers ${reachMs / DAY} days; begin later`)
  if (span.from >= span.to) throw invalid('The span must begin before it ends')
  return span
}
