import type { Context } from '../../base/context'
import { receivePaymentEvent } from '../../intake/payment/notification-service'
import { subscriberOfDevice } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { PRICE_KEY, writeMetadata } from '../../stores/payment/metadata'
import { simulatorWebhookSecret } from '../../stores/test-keys/service'
import type { SimulatedTerms } from '../stores/life'
import { signEvent } from '../stores/payment-events'
import type { SimulatedEvent } from '../stores/payment-world'

/** Delivers an event like the provider's webhook. */
export async function deliverPaymentEvent(ctx: Context, project: ProjectState, event: SimulatedEvent): Promise<void> {
  const order = { secret: await simulatorWebhookSecret(ctx, project.id), now: ctx.clock.now() }
  const { body, signature } = await signEvent(event, order)
  await receivePaymentEvent(ctx, project.id, { bytes: Buffer.from(body), contentType: null, signature })
}

/** The metadata that our checkout writes for a sale to the device. */
export async function checkoutMetadata(
  ctx: Context,
  project: ProjectState,
  deviceKey: string,
  { type, productId }: SimulatedTerms,
): Promise<Record<string, string>> {
  const { id: subscriberId } = await subscriberOfDevice(ctx, project.id, deviceKey, null)
  const metadata = writeMetadata({ subscriberId, deviceKey, presentedContext: null })
  return type === 'SUBSCRIPTION' ? metadata : { ...metadata, [PRICE_KEY]: productId }
}
