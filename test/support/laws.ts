import fc from 'fast-check'

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
const LIMIT_MS = 60_000

/** `share`: of the lives that a cheap law lives. */
export const checkLaw = <Life>(life: fc.Arbitrary<Life>, law: (life: Life) => void, share = 1): void =>
  fc.assert(fc.property(life, law), lawParameters(share))

export const checkLawAsync = <Life>(
  life: fc.Arbitrary<Life>,
  law: (life: Life) => Promise<void>,
  share = 1,
): Promise<void> => fc.assert(fc.asyncProperty(life, law), lawParameters(share))

/** How, and how often, a law with a database beneath it is tried; `share` of the lives that a cheap law lives. */
export const lawParameters = (share: number) => ({
  seed: SEED,
  numRuns: Math.max(1, Math.round(LIVES * share)),
  ...(GIVEN === undefined ? { interruptAfterTimeLimit: LIMIT_MS } : {}),
  ...(PATH === undefined ? {} : { path: PATH }),
})
