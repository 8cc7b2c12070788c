import type { Score, StoredEntry } from './model'

/** The highest value first; of equal values, the subscriber who was created first. */
export const compareScores = (a: Score, b: Score): number =>
  a.value === b.value ? (a.subscriberId < b.subscriberId ? -1 : 1) : a.value > b.value ? -1 : 1

/** The first `most` of two lists of scores in that order. Nobody is in both. */
export const mergeScores = (a: readonly Score[], b: readonly Score[], most: number): Score[] =>
  [...a, ...b].sort(compareScores).slice(0, most)

/**
 * The scores, which are in order, with their ranks: 1 + the number of people with a higher value. So equal values have
 * one rank, and the next rank is left out: 1, 2, 2, 4.
 */
export function rankScores(scores: readonly Score[]): StoredEntry[] {
  let [rank, last]: [number, bigint | null] = [0, null]
  return scores.map(({ subscriberId, value }, index) => {
    if (value !== last) rank = index + 1
    last = value
    return [subscriberId, String(value), rank]
  })
}
