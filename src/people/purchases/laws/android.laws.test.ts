import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED } from '../../../../test/support/laws'
import { DAY } from '../../../base/lib/clock'
import { givesAccess } from '../../../core/purchase/status'
import { effectiveEnd, statusAt } from '../status'
import { anyPlayScript, livePlay, type PlayScript } from './android-life.fixtures'
import {
  expectedAccess,
  expectedCoins,
  expectedMoney,
  expectedRenewal,
  expectedStatus,
} from './android-oracle.fixtures'
import { type FetchedFact, PlayRecorder } from './android-recorder.fixtures'
import { type AndroidFact, PlayWorld } from './android-world.fixtures'
import { type Arrival, anyArrival, arrive } from './arrivals.fixtures'
import { accessOf } from './book.fixtures'

const START = Date.UTC(2026, 10, 20, 8)
const IN_ORDER: Arrival = { ranks: [0], again: [] }

const instantsOf = ({ now }: PlayWorld): number[] => [now, now + 3 * DAY, now + 20 * DAY, now + 500 * DAY]

interface Handled {
  world: PlayWorld
  recorder: PlayRecorder
}

/** A life in which the facts of each turn are handled right after it, in the order of an arrival. */
async function handleAtOnce(script: PlayScript, arrival: Arrival, leastGapMs = 0): Promise<Handled> {
  const world = new PlayWorld(START)
  const recorder = new PlayRecorder(world)
  const listen = async (facts: readonly AndroidFact[]) => {
    if (facts.length > 0) for (const fact of arrive(facts, arrival)) await recorder.handle(fact)
  }
  return { world: await livePlay(script, listen, { leastGapMs, world }), recorder }
}

/** A life in which some facts are handled late, and the remaining ones after its end. */
async function handleLate(script: PlayScript, { ranks, again }: Arrival): Promise<Handled> {
  const world = new PlayWorld(START)
  const recorder = new PlayRecorder(world)
  let waiting: AndroidFact[] = []
  let turn = 0
  await livePlay(
    script,
    async (facts) => {
      waiting.push(...facts)
      if ((ranks[turn++ % ranks.length] ?? 0) < 50) return
      const [now, later] = [
        waiting.filter((_, index) => index % 2 === turn % 2),
        waiting.filter((_, index) => index % 2 !== turn % 2),
      ]
      for (const fact of now) await recorder.handle(fact)
      waiting = later
    },
    { leastGapMs: 1, world },
  )
  for (const fact of waiting.length > 0 ? arrive(waiting, { ranks, again }) : []) {
    world.clock.at += 1
    await recorder.handle(fact)
  }
  return { world, recorder }
}

/** A life in which all answers about a turn are fetched before the first of them is recorded, in any order. */
async function recordLate(script: PlayScript, arrival: Arrival): Promise<Handled> {
  const world = new PlayWorld(START)
  const recorder = new PlayRecorder(world)
  const listen = async (facts: readonly AndroidFact[]) => {
    const fetched: FetchedFact[] = []
    for (const fact of facts) fetched.push(...[await recorder.fetch(fact)].filter((one) => one !== null))
    for (const one of fetched.length > 0 ? arrive(fetched, arrival) : []) recorder.record(one)
  }
  return { world: await livePlay(script, listen, { world }), recorder }
}

/** What must not depend on how much of a life was observed, nor when. */
function essence({ world, recorder }: Handled, tokens: Handled['recorder'] = recorder): unknown {
  const seen = recorder.book.folds().filter(([token]) => tokens.book.purchases.has(token))
  return instantsOf(world).map((at) => ({
    purchases: seen.map(([token, fold]) => {
      const { status, storeTransactionId, autoResumeAt, storeProductId } = statusAt(fold, at)
      const hasAccess = givesAccess(status)
      const end = hasAccess ? effectiveEnd(fold) : null
      const renewal = hasAccess ? [fold.autoRenews, fold.priceConsent] : null
      return { token, status, storeTransactionId, storeProductId, autoResumeAt, end, renewal }
    }),
    access: recorder.book.entitlementsAt(at).flatMap(({ access, isActive }) => (isActive ? [access] : [])),
  }))
}

/**
 * The price of an order that was not fetched while it was current is unknown. Any other price is the same, or unknown.
 */
function expectSameCharges(late: PlayRecorder, prompt: PlayRecorder): void {
  for (const [token, { lines }] of late.book.purchases) {
    const known = prompt.book.purchases.get(token)?.lines
    for (const [key, { price, isTrial }] of lines) {
      const other = known?.get(key)
      expect([key, price ?? other?.price, isTrial]).toEqual([key, other?.price, other?.isTrial])
    }
  }
}

const anyLife = fc.record({ script: anyPlayScript, arrivals: fc.tuple(anyArrival, anyArrival) })
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life at Google Play ${SEEDED}`, () => {
  law('the facts of each turn in any order, some of them twice, come to the same', () =>
    checkLawAsync(anyLife, async ({ script, arrivals }) => {
      const { world, recorder } = await handleAtOnce(script, IN_ORDER)
      const expected = recorder.book.outcome(instantsOf(world))
      for (const arrival of arrivals) {
        const other = await handleAtOnce(script, arrival)
        expect(other.recorder.book.outcome(instantsOf(other.world))).toBe(expected)
      }
    }),
  )

  law('heard late and in any order, it comes to the same in the end', () =>
    checkLawAsync(anyLife, async ({ script, arrivals: [arrival] }) => {
      const late = await handleLate(script, arrival)
      const prompt = await handleAtOnce(script, IN_ORDER, 1)
      prompt.world.clock.at = late.world.now
      // A purchase that was refunded before any fact about it was handled belongs to nobody.
      expect(essence(late)).toEqual(essence(prompt, late.recorder))
      expectSameCharges(late.recorder, prompt.recorder)
    }),
  )

  law('asked all at once and recorded in any order, the facts of each turn come to the same', () =>
    checkLawAsync(anyLife, async ({ script, arrivals: [arrival] }) => {
      const { world, recorder } = await handleAtOnce(script, IN_ORDER)
      const other = await recordLate(script, arrival)
      expect(other.recorder.book.outcome(instantsOf(world))).toBe(recorder.book.outcome(instantsOf(world)))
    }),
  )

  law('what is told again changes nothing and is no event', () =>
    checkLawAsync(anyLife, async ({ script, arrivals: [arrival] }) => {
      const { world, recorder } = await handleAtOnce(script, arrival)
      const before = recorder.book.outcome([world.now])
      for (const [chainKey, { known }] of recorder.book.purchases)
        expect(
          recorder.book.record({ store: 'ANDROID_STORE', chainKey, observations: known }, world.now + 90 * DAY),
        ).toEqual([])
      expect(recorder.book.outcome([world.now])).toBe(before)
    }),
  )

  law('status and access are those of the table, by what the store knows', () =>
    checkLawAsync(anyLife, async ({ script, arrivals: [arrival] }) => {
      const { world, recorder } = await handleAtOnce(script, arrival, 1)
      for (const at of instantsOf(world)) {
        const folds = new Map(recorder.book.folds().map(([token, fold]) => [token, fold]))
        for (const chain of world.chains) {
          const fold = folds.get(chain.token)
          const renews = expectedRenewal(world, chain)
          expect(fold && statusAt(fold, at).status).toBe(expectedStatus(world, chain, at))
          if (renews !== null) expect(fold?.autoRenews).toBe(renews)
        }
        expect(accessOf(recorder.book, at)).toEqual(expectedAccess(world, at))
      }
    }),
  )

  law('money and coins are what was paid and kept', () =>
    checkLawAsync(anyLife, async ({ script, arrivals: [arrival] }) => {
      const { world, recorder } = await handleAtOnce(script, arrival, 1)
      expect(recorder.book.money().USD ?? 0).toBe(expectedMoney(world))
      expect(recorder.book.balances().coins ?? 0).toBe(expectedCoins(world))
    }),
  )
})
