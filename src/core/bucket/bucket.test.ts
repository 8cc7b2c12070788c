import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { bucket, isHeldOut } from '../../base/lib/bucket'
import { bucketBy, isInRollout, variantOf } from './bucket'
import cases from './bucket.cases.json'
import { sha256Head } from './sha256'

const SEED = 20261120
const { buckets, variants, rollouts, holdouts } = cases as unknown as {
  buckets: [id: string, salt: string, drawn: number][]
  variants: [weights: number[], drawn: number, index: number][]
  rollouts: [percentage: number, drawn: number, isInside: boolean][]
  holdouts: [id: string, percentage: number, isHeldOut: boolean][]
}

/** As the console draws. */
const inBrowser = bucketBy(sha256Head)

/** The same bucket computed independently of our implementation. */
const reference = (id: string, salt: string): number =>
  Number(BigInt(`0x${createHash('sha256').update(`${id}:${salt}`, 'utf8').digest('hex').slice(0, 8)}`) % 10000n)

describe('cases', () => {
  for (const [id, salt, drawn] of buckets)
    test(`${id}:${salt} is ${drawn}`, () => expect([bucket(id, salt), inBrowser(id, salt)]).toEqual([drawn, drawn]))
  for (const [weights, drawn, index] of variants)
    test(`${drawn} of ${weights} falls to ${index}`, () => expect(variantOf(drawn, weights)).toBe(index))
  for (const [percentage, drawn, isInside] of rollouts)
    test(`${drawn} at ${percentage}`, () => expect(isInRollout(drawn, percentage)).toBe(isInside))
  for (const [id, percentage, isOut] of holdouts)
    test(`${id} at ${percentage} % holdout`, () => expect(isHeldOut(id, percentage)).toBe(isOut))
})

test('any two texts give the bucket of the reference', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(
    fc.property(text, text, (id, salt) => {
      const drawn = reference(id, salt)
      expect([bucket(id, salt), inBrowser(id, salt)]).toEqual([drawn, drawn])
    }),
    { seed: SEED, numRuns: 500 },
  )
})

test('the hash of the browser is SHA-256 at every length of its blocks', () => {
  for (let length = 0; length <= 130; length++) {
    const text = 'a'.repeat(length)
    expect(inBrowser(text, 'ü')).toBe(reference(text, 'ü'))
  }
})

test('numbers that are none let nobody in and never throw', () => {
  expect(isInRollout(0, Number.NaN)).toBe(false)
  expect(isHeldOut('svc_a1', Number.NaN)).toBe(false)
  expect(variantOf(0, [Number.NaN, Number.NaN])).toBe(1)
})

test('a wider rollout keeps everybody who was inside', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), part, part, (drawn, a, b) => {
      if (isInRollout(drawn, Math.min(a, b))) expect(isInRollout(drawn, Math.max(a, b))).toBe(true)
    }),
    { seed: SEED },
  )
})

/** Chi-square against the expected counts. */
const chiSquare = (observed: ArrayLike<number>, expected: (index: number) => number): number =>
  Array.from(observed).reduce((sum, count, index) => sum + (count - expected(index)) ** 2 / expected(index), 0)

test('a million draws are even over the buckets, and over the variants as weighted', () => {
  const counts = new Uint32Array(10_000)
  for (let i = 0; i < 1_000_000; i++) {
    const drawn = bucket(`svc_${i}`, 'even')
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  // 9999 degrees of freedom: mean 9999, standard deviation 141.4. The limits are four deviations on both sides, because
  // a distribution that is too even is wrong as well.
  const overBuckets = chiSquare(counts, () => 100)
  expect(overBuckets).toBeGreaterThan(9999 - 566)
  expect(overBuckets).toBeLessThan(9999 + 566)
  const weights = [0.34, 0.33, 0.33]
  const perVariant = [0, 0, 0]
  for (const [drawn, count] of counts.entries()) {
    const index = variantOf(drawn, weights)
    perVariant[index] = (perVariant[index] ?? 0) + count
  }
  // Two degrees of freedom: 13.8 is p = 0.001.
  expect(chiSquare(perVariant, (index) => (weights[index] ?? 0) * 1_000_000)).toBeLessThan(13.8)
})

test('two salts draw independently of each other', () => {
  const counts = new Array<number>(16).fill(0)
  for (let i = 0; i < 100_000; i++) {
    const cell = Math.floor(bucket(`svc_${i}`, 'first') / 2500) * 4 + Math.floor(bucket(`svc_${i}`, 'second') / 2500)
    counts[cell] = (counts[cell] ?? 0) + 1
  }
  expect(chiSquare(counts, () => 6250)).toBeLessThan(37.7) // 15 degrees of freedom, p = 0.001.
})
