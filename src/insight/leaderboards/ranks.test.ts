import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compareScores, mergeScores, rankScores } from './compute'
import type { Score } from './model'

const score = (subscriberId: string, value: bigint): Score => ({ subscriberId, value })

test('equal values have one rank, and the next rank is left out', () => {
  const scores = [score('a', 9n), score('b', 7n), score('c', 7n), score('d', 1n)]
  expect(rankScores(scores)).toEqual([
    ['a', '9', 1],
    ['b', '7', 2],
    ['c', '7', 2],
    ['d', '1', 4],
  ])
})

test('nobody has no rank, and values beyond 64 bits keep their digits', () => {
  expect(rankScores([])).toEqual([])
  expect(rankScores([score('a', 2n ** 70n + 1n), score('b', 2n ** 70n)])).toEqual([
    ['a', '1180591620717411303425', 1],
    ['b', '1180591620717411303424', 2],
  ])
})

const scores = fc.uniqueArray(fc.record({ subscriberId: fc.string(), value: fc.bigInt(1n, 9n) }), {
  selector: ({ subscriberId }) => subscriberId,
})

test('a rank is 1 + the number of people with a higher value, in whatever ranges they were read', () => {
  const seed = 20261120
  fc.assert(
    fc.property(scores, fc.nat({ max: 30 }), (all, cut) => {
      const ranked = rankScores(mergeScores(all.slice(0, cut), all.slice(cut), all.length))
      expect(ranked.length).toBe(all.length)
      for (const [id, value, rank] of ranked) {
        expect(rank).toBe(1 + all.filter((other) => other.value > BigInt(value)).length)
        expect(String(all.find(({ subscriberId }) => subscriberId === id)?.value)).toBe(value)
      }
    }),
    { seed },
  )
})

test('merging keeps the first ones only, as if all had been sorted at once', () => {
  fc.assert(
    fc.property(scores, fc.nat({ max: 10 }), fc.nat({ max: 30 }), (all, most, cut) => {
      const first = all.slice(0, cut).sort(compareScores).slice(0, most)
      expect(mergeScores(first, all.slice(cut), most)).toEqual(all.toSorted(compareScores).slice(0, most))
    }),
    { seed: 20261121 },
  )
})
