import { createHash } from 'node:crypto'

// The form of an id shows whether it belongs to the built-in test store or to a real store. So no call about a
// simulated purchase leaves the process.

/** The real iOS store uses 64-bit transaction ids; these are larger than that. */
const IOS_ID = /^9999\d{16}$/
/** Real Google tokens start with 24 lower-case letters and a dot. */
export const TOKEN_PREFIX = 'svc-simulated.'
/** Real Google orders start with `GPA.`. */
export const ORDER_PREFIX = 'SVC.'
const PAYMENT_ID = /^[a-z]{2,8}_sim[0-9a-f]{12}\d{8}$/

/** A numeric transaction id of the test store (20 digits), computed from a unique text. Equal seeds give equal ids. */
export function transactionIdOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  return `9999${(digest.readBigUInt64BE(0) % 10_000_000_000_000_000n).toString().padStart(16, '0')}`
}

/** The part after `_sim` in the payment test store's ids; the objects of one simulated purchase share it. */
export const paymentSeedOf = (seed: string): string => createHash('sha256').update(seed).digest('hex').slice(0, 12)

/** Whether this is a transaction id of the iOS test store. */
export const isSimulatedTransaction = (id: string): boolean => IOS_ID.test(id)

/** Whether a purchase token or an order id belongs to the Android test store. */
export const isSimulatedToken = (id: string): boolean => id.startsWith(TOKEN_PREFIX) || id.startsWith(ORDER_PREFIX)

/** Whether an id belongs to the payment test store. */
export const isSimulatedPayment = (id: string): boolean => PAYMENT_ID.test(id)
