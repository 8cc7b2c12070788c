import { type Beta, betaQuantile } from './beta'
import { drawBeta, randomWords } from './random'

/** Subscribers who saw a variant, and those of them who converted. */
export interface Counts {
  exposures: number
  conversions: number
}

/** What is known of a conversion rate: Beta(1,1), where every rate is equally likely, updated by the counts. */
export const posterior = ({ exposures, conversions }: Counts): Beta => ({
  alpha: 1 + conversions,
  beta: 1 + exposures - conversions,
})

/** Mean of the posterior (Laplace's rule of succession). Example: 0 of 8 gives 0.1; never 0 or 1. */
export const posteriorRate = ({ exposures, conversions }: Counts): number => (conversions + 1) / (exposures + 2)

/**
 * The conversion rates (0..1) between which the true one lies with 95 %: the 2.5 % and 97.5 % points of the posterior.
 * Where nobody (everybody) converted it starts at 0 (ends at 1), so that it always holds the observed rate (Brown, Cai and
 * DasGupta, "Interval Estimation for a Binomial Proportion", 2001, 4.1.2). Example: 100 of 1000 gives [0.0829, 0.1202].
 */
export function interval95(counts: Counts): [number, number] {
  const shape = posterior(counts)
  const low = counts.conversions === 0 ? 0 : betaQuantile(0.025, shape)
  const high = counts.conversions === counts.exposures ? 1 : betaQuantile(0.975, shape)
  return [low, high]
}

export interface Chances {
  /** 0..1; over all variants the sum is 1. */
  probabilityBest: number
  /** The conversion rate (0..1) that is lost on average by choosing this variant, if another is truly better. */
  expectedLoss: number
}

export const DRAWS = 50_000
// 128 bits of the fraction of pi. Any seed serves, but it must never change, so that results can be reproduced.
const START = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344] as const

/**
 * How the variants compare when each rate is drawn 50000 times from its posterior (Stucchio, "Bayesian A/B Testing at
 * VWO", 2015). Sampling error of a probability is at most 0.0045 (two standard errors). Example: 10 of 100 against
 * 10 of 100 gives about 0.5 each.
 */
export function compareByDraws(counts: readonly Counts[]): Chances[] {
  const steps = drawInSteps(counts)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const STEP = 5000

/** As `compareByDraws`, but gives way to other work after every few milliseconds. */
export function* drawInSteps(counts: readonly Counts[]): Generator<void, Chances[]> {
  const words = randomWords(START)
  const drawn: Float64Array[] = []
  for (const count of counts) {
    const { alpha, beta } = posterior(count)
    const draws = new Float64Array(DRAWS)
    for (let draw = 0; draw < DRAWS; draw++) {
      draws[draw] = drawBeta(words, alpha, beta)
      if (draw % STEP === STEP - 1) yield
    }
    drawn.push(draws)
  }
  return yield* compareDrawn(drawn)
}

function* compareDrawn(drawn: readonly Float64Array[]): Generator<void, Chances[]> {
  const wins = drawn.map(() => 0)
  let sumOfBest = 0
  for (let draw = 0; draw < DRAWS; draw++) {
    const best = highestAt(drawn, draw)
    wins[best] = (wins[best] ?? 0) + 1
    sumOfBest += drawn[best]?.[draw] ?? 0
    if (draw % STEP === STEP - 1) yield
  }
  return drawn.map((draws, index) => ({
    probabilityBest: (wins[index] ?? 0) / DRAWS,
    expectedLoss: Math.max(0, (sumOfBest - draws.reduce((sum, rate) => sum + rate, 0)) / DRAWS),
  }))
}

function highestAt(drawn: readonly Float64Array[], draw: number): number {
  let best = 0
  let highest = -1
  for (let index = 0; index < drawn.length; index++) {
    const rate = drawn[index]?.[draw] ?? 0
    if (rate <= highest) continue
    best = index
    highest = rate
  }
  return best
}
