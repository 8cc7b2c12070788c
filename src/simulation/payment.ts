import type { Context } from '../context'
import { AppError } from '../errors'
import type { ProjectState } from '../projects/state'
import type { SimulatedEvent } from '../stores/simulator/payment-world'

/** Why a project's payment provider cannot be simulated; null when it can. */
export const paymentObstacle = (): string | null =>
  'The payment provider cannot be simulated in this release; use --store ios or --store android.'

/** Delivers an event as the provider's webhook does. */
export async function deliverPaymentEvent(
  _ctx: Context,
  _project: ProjectState,
  _event: SimulatedEvent,
): Promise<void> {
  throw new AppError('NOT_IMPLEMENTED')
}
