import { decodeEvent, type TestStore } from '../../../stores/payment/world.fixtures'
import type { SimulatedEvent } from '../../../test-store/stores/payment-world'
import { PlayEar } from './android-ear.fixtures'
import { livePlay, PLAY_START, type PlayScript } from './android-life.fixtures'
import { PlayWorld } from './android-world.fixtures'
import type { Told } from './book.fixtures'
import { type IosScript, liveIos } from './ios-life.fixtures'
import { decodeFact, type IosFact } from './ios-world.fixtures'
import { livePayment, type PaymentScript } from './payment-life.fixtures'

/** The observations from a fact of the App Store about one customer; none for a fact that is not about a purchase. */
export function toldByFact(fact: IosFact): Told[] {
  const transaction = decodeFact(fact)
  if (!transaction) return []
  const { chainKey, observations, ownershipType } = transaction
  const key = ownershipType === 'FAMILY_SHARED' ? `${chainKey}:me` : chainKey
  return [{ store: 'IOS_STORE', chainKey: key, observations }]
}

/** The observations from an event of the provider when its objects are fetched now. */
export async function toldByEvent(event: SimulatedEvent, { reader }: TestStore): Promise<Told[]> {
  const result = await decodeEvent(reader, event)
  if (!result.ok && result.reason === 'malformed') throw new Error(`Not decoded: ${result.field}`)
  if (!result.ok) return []
  const { chainKey, observations } = result.purchase
  return [{ store: 'PAYMENT', chainKey, observations }]
}

/** All observations of each purchase in one batch. */
export const joined = (told: readonly Told[]): Told[] =>
  [...Map.groupBy(told, ({ chainKey }) => chainKey).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, observations: [first, ...others].flatMap(({ observations }) => observations) }] : [],
  )

export const iosHistories = (script: IosScript): Told[] => joined(liveIos(script).facts.flatMap(toldByFact))

export async function playHistories(script: PlayScript): Promise<Told[]> {
  const world = new PlayWorld(PLAY_START)
  const ear = new PlayEar(world)
  const listen: Parameters<typeof livePlay>[1] = async (facts) => {
    for (const fact of facts) await ear.hear(fact)
  }
  await livePlay(script, listen, { world })
  return ear.book.folds().map(([chainKey, , { store, known }]) => ({ store, chainKey, observations: known }))
}

export async function paymentHistories(script: PaymentScript): Promise<Told[]> {
  const told: Told[] = []
  await livePayment(script, async (events, store) => {
    for (const event of events) told.push(...(await toldByEvent(event, store)))
  })
  return joined(told)
}
