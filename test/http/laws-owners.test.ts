import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ProjectSettings } from '../../src/core/project/schema'
import { anyArrival, arrive } from '../../src/people/purchases/laws/arrivals.fixtures'
import { anyIosScript } from '../../src/people/purchases/laws/ios-life.fixtures'
import { type Stage, stage } from '../support/cast'
import { balances, identify, rowOf } from '../support/facts'
import { type Delivery, deliverAll, outcome, post, prepare, send } from '../support/ios-lives'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'

// Shared family purchases never move (wire 5.6), so these lives have none.

type PurchaseTransfer = ProjectSettings['purchaseTransfer']
const stages = new Map<PurchaseTransfer, Stage>()
beforeAll(async () => {
  for (const purchaseTransfer of ['whenAnonymous', 'always'] as const)
    stages.set(purchaseTransfer, await stage({ settings: { clawback: 'full', purchaseTransfer } }))
})
afterAll(async () => {
  for (const s of stages.values()) await s.close()
})

function stageWhere(setting: PurchaseTransfer): Stage {
  const s = stages.get(setting)
  if (!s) throw new Error('no such stage')
  return s
}

/** Two installs, and the facts after which a receipt comes from the other one or an install is identified. */
const anyCrossing = fc.record({
  script: anyIosScript,
  arrival: anyArrival,
  /** Which of the two posts a receipt, fact by fact. */
  turns: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
  /** The facts after which the first and the second install are identified. */
  crossings: fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 12 })),
})

const devicesOf = ({ device }: Delivery): [string, string] => [device, `${device}_2`]
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of a life that two installs show ${SEEDED}`, () => {
  law('identified as one person at any moment, they hold in the end what one install would', () =>
    checkLawAsync(
      anyCrossing,
      async ({ script, arrival, turns, crossings }) => {
        const s = stageWhere('whenAnonymous')
        const expected = await deliverAll(s, prepare(script, { hasFamily: false }))
        const delivery = prepare(script, { hasFamily: false })
        const devices = devicesOf(delivery)
        const label = `user ${delivery.name}`
        s.ctx.clock.set(delivery.endsAt)
        for (const [index, fact] of arrive(delivery.world.facts, arrival).entries()) {
          for (const [one, at] of crossings.entries()) if (at === index) await identify(s, devices[one] ?? '', label)
          const { status, body } = await post(s, devices[turns[index % turns.length] ? 1 : 0], fact)
          // A label protects the purchases of its owner until the other install has the same label.
          if (status !== 200) expect([status, body.error.code]).toEqual([409, 'RECEIPT_IN_USE'])
        }
        for (const device of devices) expect((await identify(s, device, label)).status).toBe(200)
        for (const fact of delivery.world.facts) await send(s, devices[0], fact)
        const rows = await Promise.all(devices.map((device) => rowOf(s, device)))
        const [survivor, ...others] = rows.filter(({ mergedInto }) => mergedInto === null)
        expect(others).toEqual([])
        expect(await outcome(s, delivery, survivor?.deviceKey ?? '')).toEqual(expected)
      },
      WITH_DATABASE / 2,
    ),
  )

  law('whoever shows all of it last has it all, and no coin is made or lost on the way', () =>
    checkLawAsync(
      anyCrossing,
      async ({ script, arrival, turns }) => {
        const s = stageWhere('always')
        const { balances: whole, ...expected } = await deliverAll(s, prepare(script, { hasFamily: false }))
        const delivery = prepare(script, { hasFamily: false })
        const devices = devicesOf(delivery)
        s.ctx.clock.set(delivery.endsAt)
        for (const [index, fact] of arrive(delivery.world.facts, arrival).entries())
          await send(s, devices[turns[index % turns.length] ? 1 : 0], fact)
        for (const device of devices) for (const fact of delivery.world.facts) await send(s, device, fact)
        const { balances: _, ...held } = await outcome(s, delivery, devices[1])
        expect(held).toEqual(expected)
        expect(await sumOf(s, devices)).toEqual(whole)
      },
      WITH_DATABASE / 2,
    ),
  )
})

async function sumOf(s: Stage, devices: readonly string[]): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const device of devices)
    for (const [code, amount] of Object.entries(await balances(s, device))) sums[code] = (sums[code] ?? 0) + amount
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0))
}
