import type { PurchaseRow } from '../../people/purchases/queries'

/** Whether the charges of a purchase can have copies that are recorded as charges of their own. */
export const isChain = ({ fold }: Pick<PurchaseRow, 'fold'>): boolean => fold.productType === 'SUBSCRIPTION'
