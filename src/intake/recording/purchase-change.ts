import type { StoredLines } from '../../people/purchases/line-rows'
import type { PurchaseState } from '../../people/purchases/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { LineChange } from './grant-booking'

/** A purchase that changed: the row before and after, and its money lines before and after. */
export interface PurchaseChange {
  held: PurchaseRow | null
  row: PurchaseRow
  after: PurchaseState
  lines: LineChange
  stored: StoredLines
  /** The store product of the earlier purchase that this one replaces. */
  replacedStoreProductId?: string | undefined
  /** Its owner had no purchase and no balance before. */
  isFirst: boolean
  /** The purchase never gave anything, so its end is no event. */
  isEndUntold?: boolean
}
