import fc from 'fast-check'
import { DAY, HOUR } from '../../../base/lib/clock'
import { PLAY_TURNS, type PlayTurn, wait } from './android-turns.fixtures'
import { type AndroidFact, PlayWorld } from './android-world.fixtures'

export const PLAY_START = Date.UTC(2026, 10, 20, 8)
const LONGEST_MS = 7 * 365 * DAY

interface Step {
  turn: PlayTurn
  /** Milliseconds since the previous step. */
  gap: number
  pick: number
}

export interface PlayScript {
  /** Which offer it starts with. */
  opening: number
  steps: readonly Step[]
}

const TURNS = Object.keys(PLAY_TURNS) as PlayTurn[]

const anyGap = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 * HOUR }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }).map((days) => days * DAY) },
)

const LIVELY: readonly PlayTurn[] = [
  'RENEW',
  'CHANGE',
  'CANCEL',
  'FAIL',
  'HOLD',
  'PAUSE',
  'SUBSCRIBE',
  'TOP_UP',
  'EXPIRE',
]

export const anyPlayScript: fc.Arbitrary<PlayScript> = fc.record({
  opening: fc.nat({ max: 5 }),
  steps: fc.array(
    fc.record({
      turn: fc.oneof(fc.constantFrom(...TURNS), fc.constantFrom(...LIVELY)),
      gap: anyGap,
      pick: fc.nat({ max: 11 }),
    }),
    { maxLength: 10 },
  ),
})

/** Receives the facts of one turn, right after the turn. */
export type Listener = (facts: readonly AndroidFact[], world: PlayWorld) => void | Promise<void>

/** Runs a script at the stand-in, turn by turn, and passes the facts of each turn to `listen`. */
export async function livePlay(
  { opening, steps }: PlayScript,
  listen: Listener,
  { leastGapMs = 0, world = new PlayWorld(PLAY_START) } = {},
): Promise<PlayWorld> {
  PLAY_TURNS.SUBSCRIBE(world, opening)
  await listen(world.takeFacts(), world)
  for (const { turn, gap, pick } of steps) {
    if (world.now - PLAY_START > LONGEST_MS) break
    wait(world, gap, leastGapMs)
    take(world, turn, pick)
    await listen(world.takeFacts(), world)
  }
  return world
}

/** The turn or, where it is impossible for the customer, another one that is possible. */
function take(world: PlayWorld, turn: PlayTurn, pick: number): void {
  for (let hop = 0; world.factCount === 0 && hop < TURNS.length; hop++) {
    const next = TURNS[(TURNS.indexOf(turn) + hop * STRIDE) % TURNS.length]
    if (next) PLAY_TURNS[next](world, pick)
  }
}

/** Prime to the number of turns, so the search reaches each turn once. */
const STRIDE = 5
