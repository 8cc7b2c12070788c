import { HOUR } from '../../base/lib/clock'
import { reasonText } from '../../core/reason/reasons'
import type { PurchaseRow } from '../../people/purchases/queries'

/**
 * The result of recording what a store reported. `idle`: nothing was recorded. `unsold`: the purchase is recorded, but
 * gives nothing as long as its product is not in the catalogue.
 */
export type Recording =
  | { kind: 'recorded' }
  | { kind: 'idle'; reason: string }
  | { kind: 'unsold'; storeProductId: string }

export const idle = (reason: string): Recording => ({ kind: 'idle', reason })

/** The reason of `idle` for an erased owner. */
export const ERASED = reasonText('OWNER_ERASED')

export const recorded = ({ productId, fold }: PurchaseRow): Recording =>
  productId === null ? { kind: 'unsold', storeProductId: fold.storeProductId } : { kind: 'recorded' }

/** A report that equals the one before is stored only this often: it only confirms the state. */
export const REPEAT_KEPT_MS = 12 * HOUR
