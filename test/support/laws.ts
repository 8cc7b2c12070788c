import fc from 'fast-check'
import { monotonicMs } from '../../src/base/lib/clock'
import { moreInRelease } from './release'

const GIVEN = process.env.SVC_LAW_RUNS
/** How many lives a law without a database runs for each store. */
const LIVES = Number(GIVEN ?? moreInRelease(100, 500))
/** The share of them for a law with a database, where each life is delivered a few times. */
export const WITH_DATABASE = 0.05
/** The two dialects run different lives. */
export const SEED = Number(
  process.env.SVC_LAW_SEED ?? (process.env.SVC_TEST_DIALECT === 'postgres' ? 20261121 : 20261120),
)
/** A counterexample as fast-check printed it, to run it alone: `12:3:0`. */
const PATH = process.env.SVC_LAW_PATH

/** For the name of a test: a failed law can be run again with this seed. */
export const SEEDED = `(seed ${SEED})`

/** Long enough for any number of lives. */
export const LAW_PATIENCE_MS = 6 * 3_600_000
/**
 * On a slow machine a law runs fewer lives, unless their number was given, and stops looking for a shorter
 * counterexample.
 */
const BEGUN_WITHIN_MS = 60_000

/** `share`: the share of the lives that a law without a database runs. */
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
 * Starts no further life when the time is up, but always runs at least one. A life that has started runs to its end.
 * The time limit of fast-check would let it continue in the background, on the stage of the next law.
 */
function whileThereIsTime<Life, Held>(law: (life: Life) => Held): (life: Life) => Held | undefined {
  if (GIVEN !== undefined) return law
  const until = monotonicMs() + BEGUN_WITHIN_MS
  let begun = 0
  return (life) => (begun++ > 0 && monotonicMs() > until ? undefined : law(life))
}
