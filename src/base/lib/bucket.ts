// Servers and clients compute the same bucket for a subscriber (wire 5.1). Every number here is an IEEE double on both
// sides, so that a boundary like 0.07 x 10000 = 700.0000000000001 gives the same result everywhere.

const BUCKETS = 10_000

/** Version of the algorithm; it is saved with every assignment. */
export const HASH_VERSION = 1

/** The salt of the project holdout. */
export const HOLDOUT_SALT = '__svc_holdout_seed__'

// One digest buffer for the whole process. This is safe because nothing is awaited between the hash and the read.
const digest = new Uint8Array(32)
const view = new DataView(digest.buffer)

/** 0..9999: the first four bytes, big endian, of SHA-256 over the UTF-8 of `id:salt`, modulo 10000. */
export function bucket(id: string, salt: string): number {
  Bun.SHA256.hash(`${id}:${salt}`, digest)
  return view.getUint32(0) % BUCKETS
}

/**
 * Index of the variant for a bucket. `weights` are fractions of 1 in declared order. Each boundary is the sum of the
 * weights so far x 10000, rounded half away from zero: with 0.34, 0.33, 0.33 the boundaries are 3400 and 6700. A bucket
 * past the last boundary gives the last variant; without weights the result is -1.
 */
export function variantOf(drawn: number, weights: readonly number[]): number {
  let cumulative = 0
  for (const [index, weight] of weights.entries()) {
    cumulative += weight * BUCKETS
    if (drawn < roundHalfAway(cumulative)) return index
  }
  return weights.length - 1
}

/** `Math.round` rounds halves upwards, which is different for numbers below zero. */
const roundHalfAway = (value: number): number => Math.sign(value) * Math.round(Math.abs(value))

/** Whether a bucket is inside a rollout; the percentage is a fraction 0..1. */
export function isInRollout(drawn: number, percentage: number): boolean {
  if (percentage <= 0) return false
  return percentage >= 1 || drawn < percentage * BUCKETS
}

/** Whether a subscriber is held out of all experiments; the percentage is 0..100. */
export const isHeldOut = (bucketingId: string, percentage: number): boolean =>
  percentage > 0 && bucket(bucketingId, HOLDOUT_SALT) < percentage * (BUCKETS / 100)

/** The first bucket that is not held out. For whole buckets this agrees with `isHeldOut`. */
export const holdoutBorder = (percentage: number): number =>
  Math.min(BUCKETS, Math.max(0, Math.ceil(percentage * (BUCKETS / 100))))
