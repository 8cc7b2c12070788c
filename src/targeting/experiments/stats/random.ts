/** Whole numbers of 0..2^32-1; the same seed gives the same numbers on every machine. */
export type RandomWords = () => number

/** xoshiro128** 1.1 of Blackman and Vigna (prng.di.unimi.it, public domain). The seed must not be four zeros. */
export function randomWords(start: readonly [number, number, number, number]): RandomWords {
  let [s0, s1, s2, s3] = start
  return () => {
    const word = Math.imul(rotate(Math.imul(s1, 5), 7), 9) >>> 0
    const shifted = s1 << 9
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = rotate(s3, 11)
    return word
  }
}

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by))

// The middle of one of 2^32 equal parts of 0..1, so never 0 or 1 and its logarithm is finite.
const fraction = (words: RandomWords): number => (words() + 0.5) / 4294967296

// Marsaglia's polar method (1964); its second number is not used, so that every draw is independent.
function normal(words: RandomWords): number {
  for (;;) {
    const u = 2 * fraction(words) - 1
    const v = 2 * fraction(words) - 1
    const square = u * u + v * v
    if (square < 1 && square > 0) return u * Math.sqrt((-2 * Math.log(square)) / square)
  }
}

/**
 * One draw of a Gamma distribution with this shape (at least 1) and scale 1: Marsaglia and Tsang, "A Simple Method for
 * Generating Gamma Variables" (2000). The mean of many draws is the shape.
 */
export function drawGamma(words: RandomWords, shape: number): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(words)
    const root = 1 + c * x
    if (root <= 0) continue
    const v = root * root * root
    const u = fraction(words)
    if (u < 1 - 0.0331 * x * x * x * x) return d * v
    if (Math.log(u) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v
  }
}

/** One draw of a Beta distribution, as the share of one Gamma draw in two. Both shapes at least 1. */
export function drawBeta(words: RandomWords, alpha: number, beta: number): number {
  const one = drawGamma(words, alpha)
  return one / (one + drawGamma(words, beta))
}
