import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../src/lib/clock'
import { anyArrival, arrive } from '../../src/purchases/arrivals.fixtures'
import { anyIosScript, type IosScript, liveIos } from '../../src/purchases/ios-life.fixtures'
import type { IosFact, IosWorld } from '../../src/purchases/ios-world.fixtures'
import { sweepPurchases } from '../../src/purchases/sweep'
import { signNotification } from '../../src/stores/simulator/notification'
import { type Stage, stage } from '../support/cast'
import { eventCount } from '../support/facts'
import { outcomeOf } from '../support/law-outcome'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'
import { deliver } from '../support/notify'

let s: Stage
beforeAll(async () => {
  s = await stage({ settings: { clawback: 'full' } })
})
afterAll(() => s.close())

let count = 0

/** A delivery of a life to a device of its own; what is compared later names neither. */
interface Delivery {
  world: IosWorld
  device: string
  name: string
}

function prepare(script: IosScript): Delivery {
  const name = `29${String(++count).padStart(6, '0')}`
  const world = liveIos(script, { name })
  // The device shows each of its purchases once, so that all of them end with it.
  for (const { sales } of world.chains) for (const sale of sales.slice(0, 1)) world.show(sale)
  for (const item of world.items) world.show(item)
  return { world, device: `svc_law_${name}`, name }
}

async function send({ device }: Delivery, fact: IosFact): Promise<void> {
  const { status, body } =
    fact.kind === 'RECEIPT'
      ? await s.receipt(device, fact.payload)
      : await deliver(s, { signedPayload: signNotification(s.keys, fact.order) })
  expect([status, body.error]).toEqual([200, undefined])
}

const endOf = ({ world }: Delivery): number => world.now + DAY / 2

/** What a delivery has come to, once the clock's own changes are told. */
async function outcome(delivery: Delivery): Promise<string> {
  s.ctx.clock.set(endOf(delivery))
  await sweepPurchases(s.ctx)
  const rename = (text: string) => text.replaceAll(delivery.name, '<life>')
  return JSON.stringify(await outcomeOf(s, delivery.device, rename), null, 1)
}

/** Each fact arrives when it happens, and the clock's own changes are told in between. */
async function inTime(script: IosScript): Promise<string> {
  const delivery = prepare(script)
  for (const fact of delivery.world.facts) {
    s.ctx.clock.set(fact.at)
    await sweepPurchases(s.ctx)
    await send(delivery, fact)
  }
  return outcome(delivery)
}

/** All of it arrives after the end, in an order that the caller makes. */
async function afterwards(script: IosScript, order: (facts: readonly IosFact[]) => readonly IosFact[]) {
  const delivery = prepare(script)
  s.ctx.clock.set(endOf(delivery))
  for (const fact of order(delivery.world.facts)) await send(delivery, fact)
  return delivery
}

const anyLife = fc.record({ script: anyIosScript, arrival: anyArrival })
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life at the App Store, in the database ${SEEDED}`, () => {
  law('in time, or late and in any order, receipts and notifications come to the same rows', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrival }) => {
        const expected = await inTime(script)
        expect(await outcome(await afterwards(script, (facts) => arrive(facts, arrival)))).toBe(expected)
      },
      WITH_DATABASE,
    ),
  )

  law('two halves come to the whole, and all of it again to nothing', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrival: { ranks } }) => {
        const expected = await outcome(await afterwards(script, (facts) => facts))
        const isFirst = (_: IosFact, index: number) => (ranks[index % ranks.length] ?? 0) < 50
        const halves = await afterwards(script, (facts) => [
          ...facts.filter((fact, index) => !isFirst(fact, index)),
          ...facts.filter(isFirst),
        ])
        expect(await outcome(halves)).toBe(expected)
        const told = await eventCount(s)
        for (const fact of halves.world.facts) await send(halves, fact)
        expect(await eventCount(s)).toBe(told)
        expect(await outcome(halves)).toBe(expected)
      },
      WITH_DATABASE,
    ),
  )
})
