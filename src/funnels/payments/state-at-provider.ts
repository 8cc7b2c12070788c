import type { Context } from '../../base/context'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { PaymentClient } from '../../stores/payment/client'
import type { ProviderFailure } from '../../stores/payment/provider'
import type { UnsettledStatus } from './model'
import type { PaymentRow } from './queries'
import type { SaleState } from './seller'

type Asked = Pick<PaymentRow, 'objects' | 'reference'>

/** Asks the provider how far a payment is. */
export async function stateOf(ctx: Context, project: ProjectState, payment: Asked): Promise<SaleState> {
  const client = await paymentClient(ctx, project, payment.reference)
  if (!client) return 'unavailable'
  const { subscriptionId, intentId } = payment.objects
  if (subscriptionId !== null) return ofSubscription(client, subscriptionId, intentId)
  return intentId === null ? 'unknown' : ofIntent(client, intentId)
}

async function ofSubscription(client: PaymentClient, id: string, intentId: string | null): Promise<SaleState> {
  const answer = await client.getSubscription(id)
  if (!answer.ok) return failedAs(answer)
  const { status, latest_invoice: invoice } = answer.value
  if (status === 'incomplete')
    return intentId === null ? 'requires_payment' : unlessSettled(await ofIntent(client, intentId))
  const isSetUp = intentId === null || !intentId.startsWith('seti_') ? 'settled' : await ofSetup(client, intentId)
  if (status === 'active' || status === 'trialing') return isSetUp
  // It was paid, and has ended or has a billing problem since.
  const isPaid = typeof invoice === 'object' && invoice?.status === 'paid' && isSetUp === 'settled'
  return isPaid ? 'settled' : 'failed'
}

/** The payment has come in, and the subscription does not say so yet. */
const unlessSettled = (state: SaleState): SaleState => (state === 'settled' ? 'processing' : state)

async function ofIntent(client: PaymentClient, id: string): Promise<SaleState> {
  const answer = await client.getPaymentIntent(id)
  return answer.ok ? readStatus(answer.value.status) : failedAs(answer)
}

async function ofSetup(client: PaymentClient, id: string): Promise<SaleState> {
  const answer = await client.getSetupIntent(id)
  return answer.ok ? readStatus(answer.value.status) : failedAs(answer)
}

const STATES: Readonly<Record<string, SaleState>> = {
  succeeded: 'settled',
  canceled: 'failed',
  processing: 'processing',
  requires_action: 'requires_action',
}

const readStatus = (status: string): SaleState => STATES[status] ?? 'requires_payment'

/** A key that the provider no longer takes is repaired by its owner; until then the payment cannot be looked at. */
const failedAs = (failure: ProviderFailure): SaleState =>
  failure.reason === 'rejected' && failure.status === 404 ? 'unknown' : 'unavailable'

const UNSETTLED: readonly SaleState[] = ['requires_payment', 'requires_action', 'processing']

export const isUnsettled = (state: SaleState): state is UnsettledStatus => UNSETTLED.includes(state)
