import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { anyArrival, arrive } from '../../src/people/purchases/laws/arrivals.fixtures'
import { anyIosScript, type IosScript } from '../../src/people/purchases/laws/ios-life.fixtures'
import type { IosFact } from '../../src/people/purchases/laws/ios-world.fixtures'
import { type Stage, stage } from '../support/cast'
import { eventCount } from '../support/facts'
import { deliverAll, outcome, prepare, send } from '../support/ios-lives'
import type { Outcome } from '../support/law-outcome'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'

let s: Stage
beforeAll(async () => {
  s = await stage({ settings: { clawback: 'full' } })
})
afterAll(() => s.close())

/** Each fact arrives when it happens, and the sweep runs in between. */
async function inTime(script: IosScript): Promise<Outcome> {
  const delivery = prepare(script)
  for (const fact of delivery.world.facts) {
    s.ctx.clock.set(fact.at)
    await sweepPurchases(s.ctx)
    await send(s, delivery.device, fact)
  }
  return outcome(s, delivery, delivery.device)
}

const anyLife = fc.record({ script: anyIosScript, arrival: anyArrival })
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life at the App Store, in the database ${SEEDED}`, () => {
  law('in time, or late and in any order, receipts and notifications come to the same rows', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrival }) => {
        const late = await deliverAll(s, prepare(script), (facts) => arrive(facts, arrival))
        expect(late).toEqual(await inTime(script))
      },
      WITH_DATABASE,
    ),
  )

  law('two halves come to the whole, and all of it again to nothing', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrival: { ranks } }) => {
        const expected = await deliverAll(s, prepare(script))
        const isFirst = (_: IosFact, index: number) => (ranks[index % ranks.length] ?? 0) < 50
        const isSecond = (fact: IosFact, index: number) => !isFirst(fact, index)
        const halves = prepare(script)
        const inHalves = (facts: readonly IosFact[]) => [...facts.filter(isSecond), ...facts.filter(isFirst)]
        expect(await deliverAll(s, halves, inHalves)).toEqual(expected)
        const count = await eventCount(s)
        expect(await deliverAll(s, halves)).toEqual(expected)
        expect(await eventCount(s)).toBe(count)
      },
      WITH_DATABASE,
    ),
  )
})
