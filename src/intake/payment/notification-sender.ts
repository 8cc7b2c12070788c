import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { paymentWebhookSecret } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import { idOfSubject, type ProviderEvent } from '../../stores/payment/event'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import { findSimulatorWebhookSecret } from '../../stores/test-keys/service'

/** The secrets that may sign an event. Its id decides: the test store's for its own events, else the provider's. */
export async function secretsFor(ctx: Context, project: ProjectState, bytes: Uint8Array): Promise<string[]> {
  const isSimulated = ctx.config.isSimulatorOn && isSimulatedPayment(eventIdIn(bytes))
  const secret = isSimulated
    ? await findSimulatorWebhookSecret(ctx, project.id)
    : await paymentWebhookSecret(ctx, project)
  return secret === null ? [] : [secret]
}

/** Refuses an event of the test store about a purchase that the test store did not sell. */
export function checkSubject({ id, subject }: ProviderEvent): void {
  if (isSimulatedPayment(id) && subject !== null && !isSimulatedPayment(idOfSubject(subject)))
    throw invalid('The test store speaks of its own purchases only')
}

function eventIdIn(bytes: Uint8Array): string {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
  } catch {
    return '' // Not an event: the check of the signature refuses it later.
  }
}
