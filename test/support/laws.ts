import fc from 'fast-check'
import { monotonicMs } from '../../src/base/lib/clock'

const GIVEN = process.env.SVC_LAW_RUNS
/** How many lives a pure law lives for each store. */
const LIVES = Number(GIVEN ?? 500)
/** Of that, for a law with a database beneath it: each life is then delivered a few times. */
export const WITH_DATABASE = 0.05
/** Both dialects live lives of their own. */
const SEED = Number(process.env.SVC_LAW_SEED ?? (process.env.SVC_TEST_DIALECT === 'postgres' ? 20261121 : 20261120))
/** A counterexample as fast-check printed it, to be lived alone: `12:3:0`. */
const PATH = process.env.SVC_LAW_PATH

/** For the name of a test: a law that fails is run again with the seed that it names. */
export const SEEDED = `(seed ${SEED})`

/** Long enough for any number of lives. */
export const LAW_PATIENCE_MS = 6 * 3_600_000
/** On a slow machine a law lives fewer lives, unless somebody said how many; nor does it look for ever for a short one. */
const BEGUN_WITHIN_MS = 60_000

/** `share`: of the lives that a cheap law lives. */
export const checkLaw = <Life>(life: fc.Arbitrary<Life>, law: (life: Life) => void, share = 1): void =>
  fc.assert(fc.property(life, whileThereIsTime(law)), lawParameters(share))

export const checkLawAsync = <Life>(
  life: fc.Arbitrary<Life>,
  law: (life: Life) => Promise<void>,
  share = 1,
): Promise<void> => {
  const inTime = whileThereIsTime(law)
  return fc.assert(
    fc.asyncProperty(life, async (one) => inTime(one)),
    lawParameters(share),
  )
}

const lawParameters = (share: number) => ({
  seed: SEED,
  numRuns: Math.max(1, Math.round(LIVES * share)),
  ...(PATH === undefined ? {} : { path: PATH }),
})

/**
 * Begins no further life when the time is up, which is after the first at the earliest; a life that has begun is lived
 * to its end. fast-check's own limit would leave it to go on by itself, on the stage of the law that comes next.
 */
function whileThereIsTime<Life, Held>(law: (life: Life) => Held): (life: Life) => Held | undefined {
  if (GIVEN !== undefined) return law
  const until = monotonicMs() + BEGUN_WITHIN_MS
  let begun = 0
  return (life) => (begun++ > 0 && monotonicMs() > until ? undefined : law(life))
}
