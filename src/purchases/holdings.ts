import { listBySubscriber, type PurchaseRow } from './queries'

export type { PurchaseRow }

/** The purchases that a subscriber owns, for the slices that compute from them. */
export const listPurchases = listBySubscriber
