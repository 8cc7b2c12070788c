import type { Store } from '../../stores/observation'

/**
 * The name of a charge within its store and project. One charge can be for several lines of a purchase, so a line adds its
 * key: `in_1/si_2`. A purchase of a time before lines adds nothing.
 */
export const scopedId = (storeTransactionId: string, chargeScope: string): string =>
  chargeScope === '' ? storeTransactionId : `${storeTransactionId}/${chargeScope}`

/** The key of a money line within the project; `line.key` is its key within the purchase. */
export const revenueKeyOf = (
  { store, chargeScope }: { store: Store; chargeScope: string },
  { key, storeTransactionId }: { key: string; storeTransactionId: string },
): string => `${store}:${scopedId(storeTransactionId, chargeScope)}${key.slice(storeTransactionId.length)}`

/** What the revenue keys of a charge, of its refunds and of its reversals start with: `IOS_STORE:1000:`. */
export const chargePrefixOf = (revenueKey: string): string =>
  revenueKey.replace(/(CHARGE|REFUND|REFUND_REVERSAL)(:\d+)?$/, '')
