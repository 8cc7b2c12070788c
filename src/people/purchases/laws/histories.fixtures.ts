import { decodeEvent, type TestStore } from '../../../stores/payment/world.fixtures'
import type { SimulatedEvent } from '../../../test-store/stores/payment-world'
import { livePlay, PLAY_START, type PlayScript } from './android-life.fixtures'
import { PlayRecorder } from './android-recorder.fixtures'
import { PlayWorld } from './android-world.fixtures'
import type { ObservationBatch } from './book.fixtures'
import { type IosScript, liveIos } from './ios-life.fixtures'
import { decodeFact, type IosFact } from './ios-world.fixtures'
import { livePayment, type PaymentScript } from './payment-life.fixtures'

/** The observations from a fact of the App Store about one customer; none for a fact that is not about a purchase. */
export function batchesOfFact(fact: IosFact): ObservationBatch[] {
  const transaction = decodeFact(fact)
  if (!transaction) return []
  const { chainKey, observations, ownershipType } = transaction
  const key = ownershipType === 'FAMILY_SHARED' ? `${chainKey}:me` : chainKey
  return [{ store: 'IOS_STORE', chainKey: key, observations }]
}

/** The observations from an event of the provider when its objects are fetched now. */
export async function batchesOfEvent(event: SimulatedEvent, store: TestStore): Promise<ObservationBatch[]> {
  const result = await decodeEvent(store.reader, event, store.fetchAt())
  if (!result.ok && result.reason === 'malformed') throw new Error(`Not decoded: ${result.field}`)
  if (!result.ok) return []
  const { chainKey, lines } = result.purchase
  return lines.map(({ observations }) => ({ store: 'PAYMENT', chainKey, observations }))
}

/** All observations of each purchase in one batch. */
export const joined = (batches: readonly ObservationBatch[]): ObservationBatch[] =>
  [...Map.groupBy(batches, ({ chainKey }) => chainKey).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, observations: [first, ...others].flatMap(({ observations }) => observations) }] : [],
  )

export const iosHistories = (script: IosScript): ObservationBatch[] =>
  joined(liveIos(script).facts.flatMap(batchesOfFact))

export async function playHistories(script: PlayScript): Promise<ObservationBatch[]> {
  const world = new PlayWorld(PLAY_START)
  const recorder = new PlayRecorder(world)
  const listen: Parameters<typeof livePlay>[1] = async (facts) => {
    for (const fact of facts) await recorder.handle(fact)
  }
  await livePlay(script, listen, { world })
  return recorder.book.folds().map(([chainKey, , { store, known }]) => ({ store, chainKey, observations: known }))
}

export async function paymentHistories(script: PaymentScript): Promise<ObservationBatch[]> {
  const batches: ObservationBatch[] = []
  await livePayment(script, async (events, store) => {
    for (const event of events) batches.push(...(await batchesOfEvent(event, store)))
  })
  return joined(batches)
}
