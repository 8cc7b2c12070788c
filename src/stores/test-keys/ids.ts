import { createHash } from 'node:crypto'

// Ids of the built-in test store can be told from those of the real stores by their look alone, so that no call about
// a simulated purchase ever leaves the process.

/** Larger than 64 bits hold: the iOS store numbers its transactions within them. */
const IOS_ID = /^9999\d{16}$/
/** Google's tokens begin with 24 lower-case letters and a dot. */
export const TOKEN_PREFIX = 'svc-simulated.'
/** Google's orders begin with `GPA.`. */
export const ORDER_PREFIX = 'SVC.'
const PAYMENT_ID = /^[a-z]{2,8}_sim[0-9a-f]{12}\d{8}$/

/** A numeric transaction id of the test store (20 digits), from anything unique: equal seeds give equal ids. */
export function transactionIdOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  return `9999${(digest.readBigUInt64BE(0) % 10_000_000_000_000_000n).toString().padStart(16, '0')}`
}

/** What the payment stand-in's ids have after `_sim`, for the objects of one life. */
export const paymentSeedOf = (seed: string): string => createHash('sha256').update(seed).digest('hex').slice(0, 12)

/** Whether an id names something of the iOS test store. */
export const isSimulatedTransaction = (id: string): boolean => IOS_ID.test(id)

/** Whether a purchase token or an order is of the Android test store. */
export const isSimulatedToken = (id: string): boolean => id.startsWith(TOKEN_PREFIX) || id.startsWith(ORDER_PREFIX)

/** Whether an id is of the payment test store. */
export const isSimulatedPayment = (id: string): boolean => PAYMENT_ID.test(id)
