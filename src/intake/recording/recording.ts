import { HOUR } from '../../base/lib/clock'
import type { PurchaseRow } from '../../people/purchases/queries'

/** What came of a store's word; `unsold`: the purchase is recorded, and gives nothing while the catalogue lacks its product. */
export type Recording =
  | { kind: 'recorded' }
  | { kind: 'idle'; reason: string }
  | { kind: 'unsold'; storeProductId: string }

export const idle = (reason: string): Recording => ({ kind: 'idle', reason })

/** Why nothing is told of somebody who was erased. */
export const ERASED = 'its owner was erased'

export const recorded = ({ productId, fold }: PurchaseRow): Recording =>
  productId === null ? { kind: 'unsold', storeProductId: fold.storeProductId } : { kind: 'recorded' }

/** A word that repeats the one before is kept only this often: what is heard from it is that it still holds. */
export const REPEAT_KEPT_MS = 12 * HOUR
