import { roundHalfAway } from '../money/money'

// Servers, browsers and clients compute the same bucket for a subscriber (wire 5.1). Every number here is an IEEE double
// on all sides, so that a boundary like 0.07 x 10000 = 700.0000000000001 gives the same result everywhere.

const BUCKETS = 10_000

/** Version of the algorithm; it is saved with every assignment. */
export const HASH_VERSION = 1

/** The salt of the project holdout. */
export const HOLDOUT_SALT = '__svc_holdout_seed__'

/** 0..9999: the bucket of an id under a salt. */
export type Bucket = (id: string, salt: string) => number

/**
 * The bucket by a SHA-256: its first four bytes, big endian, over the UTF-8 of `id:salt`, modulo 10000. The server gives
 * the hash of its runtime, which is six times as fast as `sha256Head`.
 */
export const bucketBy =
  (head: (text: string) => number): Bucket =>
  (id, salt) =>
    head(`${id}:${salt}`) % BUCKETS

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

/** Whether a bucket is inside a rollout; the percentage is a fraction 0..1. */
export function isInRollout(drawn: number, percentage: number): boolean {
  if (percentage <= 0) return false
  return percentage >= 1 || drawn < percentage * BUCKETS
}

/** Whether a bucket under `HOLDOUT_SALT` is held out of all experiments; the percentage is 0..100. */
export const isInHoldout = (drawn: number, percentage: number): boolean => drawn < percentage * (BUCKETS / 100)

/** The first bucket that is not held out. For whole buckets this agrees with `isInHoldout`. */
export const holdoutBorder = (percentage: number): number =>
  Math.min(BUCKETS, Math.max(0, Math.ceil(percentage * (BUCKETS / 100))))
