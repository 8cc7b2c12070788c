import { SECOND } from '../../base/lib/clock'
import { loadLibrary } from '../../stores/payment/provider'
import type { SimulatedEvent } from './payment-world'

/** A webhook as the provider would post it. */
export interface SignedDelivery {
  body: string
  /** The `Stripe-Signature` header. */
  signature: string
}

export interface DeliveryOptions {
  secret: string
  /** When it is signed, in milliseconds. */
  now: number
  /** Each twice, as after an answer that came too late. */
  isDoubled?: boolean
  /** Newest first. */
  isReversed?: boolean
}

/** Signs events in the order, and as often, as they are to be delivered. */
export function signEvents(events: readonly SimulatedEvent[], options: DeliveryOptions): Promise<SignedDelivery[]> {
  const ordered = options.isReversed ? events.toReversed() : events
  const told = options.isDoubled ? ordered.flatMap((event) => [event, event]) : ordered
  return Promise.all(told.map((event) => signEvent(event, options)))
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
