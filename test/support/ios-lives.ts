import { expect } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { type IosScript, liveIos } from '../../src/people/purchases/laws/ios-life.fixtures'
import type { IosFact, IosWorld } from '../../src/people/purchases/laws/ios-world.fixtures'
import { signNotification } from '../../src/test-store/stores/notification'
import type { Answer, Stage } from './cast'
import { type Outcome, outcomeOf } from './law-outcome'
import { deliver } from './notify'

let count = 0

/** One delivery of a life to its own devices. The later comparison names neither. */
export interface Delivery {
  world: IosWorld
  device: string
  name: string
  endsAt: number
}

export function prepare(script: IosScript, options: { hasFamily?: boolean } = {}): Delivery {
  const name = `29${String(++count).padStart(6, '0')}`
  const world = liveIos(script, { ...options, name })
  // The device posts each of its purchases once, so that all of them end up with it.
  for (const { sales } of world.chains) for (const sale of sales.slice(0, 1)) world.show(sale)
  for (const item of world.items) world.show(item)
  return { world, device: `svc_law_${name}`, name, endsAt: world.now + DAY / 2 }
}

/** A device posts a receipt, or the store sends a notification. */
export const post = (s: Stage, device: string, fact: IosFact): Promise<Answer> =>
  fact.kind === 'RECEIPT'
    ? s.receipt(device, fact.payload)
    : deliver(s, { signedPayload: signNotification(s.keys, fact.order) })

export async function send(s: Stage, device: string, fact: IosFact): Promise<void> {
  const { status, body } = await post(s, device, fact)
  expect([status, body.error]).toEqual([200, undefined])
}

/** What a device has after the end of a delivery, after the sweep has recorded what only the clock has changed. */
export async function outcome(s: Stage, { name, endsAt }: Delivery, device: string): Promise<Outcome> {
  s.ctx.clock.set(endsAt)
  await sweepPurchases(s.ctx)
  return outcomeOf(s, device, (text) => text.replaceAll(name, '<life>'))
}

/** Everything arrives after the end, in the order that the caller chooses. */
export async function deliverAll(
  s: Stage,
  delivery: Delivery,
  order: (facts: readonly IosFact[]) => readonly IosFact[] = (facts) => facts,
): Promise<Outcome> {
  s.ctx.clock.set(delivery.endsAt)
  for (const fact of order(delivery.world.facts)) await send(s, delivery.device, fact)
  return outcome(s, delivery, delivery.device)
}
