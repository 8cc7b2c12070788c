import { SECOND } from '../../base/lib/clock'
import { loadLibrary } from '../../stores/payment/provider'
import type { SimulatedEvent } from './payment-world'

/** A webhook request in the form in which the provider posts it. */
export interface SignedDelivery {
  body: string
  /** The `Stripe-Signature` header. */
  signature: string
}

export interface DeliveryOptions {
  secret: string
  /** The instant of the signature, in milliseconds. */
  now: number
  /** Each event twice, as after an answer that was too late. */
  isDoubled?: boolean
  /** Newest first. */
  isReversed?: boolean
}

/** Signs events in the order, and as often, as they are to be delivered. */
export function signEvents(events: readonly SimulatedEvent[], options: DeliveryOptions): Promise<SignedDelivery[]> {
  const ordered = options.isReversed ? events.toReversed() : events
  const deliveries = options.isDoubled ? ordered.flatMap((event) => [event, event]) : ordered
  return Promise.all(deliveries.map((event) => signEvent(event, options)))
}

export async function signEvent(
  event: object,
  { secret, now }: Pick<DeliveryOptions, 'secret' | 'now'>,
): Promise<SignedDelivery> {
  const { webhooks } = await loadLibrary()
  const payload = JSON.stringify(event)
  const timestamp = Math.floor(now / SECOND)
  return { body: payload, signature: await webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp }) }
}
