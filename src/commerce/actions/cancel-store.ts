import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { reasonText } from '../../core/reason/reasons'
import type { PurchaseRow } from '../../people/purchases/holdings'
import { androidClient } from '../../projects/connections/android-store'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import { splitAndroidId } from '../../stores/android/purchase-id'

/** What a store did. `refused` is final; after a `fault`, a later try can succeed. */
export type StoreCancel = { kind: 'done' } | { kind: 'refused' | 'fault'; message: string }

/**
 * Asks the store to stop renewing a subscription. Access stays until the end of the paid period. A second call gives
 * `done` as well. No transaction may be open.
 */
export const cancelAtStore = (ctx: Context, project: ProjectState, purchase: PurchaseRow): Promise<StoreCancel> =>
  purchase.store === 'PAYMENT' ? cancelPayment(ctx, project, purchase) : cancelAndroid(ctx, project, purchase)

async function cancelPayment(ctx: Context, project: ProjectState, { chainKey }: PurchaseRow): Promise<StoreCancel> {
  const client = await paymentClient(ctx, project, chainKey)
  if (!client) return refused(reasonText('NO_PAYMENT_ACCOUNT'))
  const result = await client.cancelAtPeriodEnd(chainKey)
  if (result.ok) return { kind: 'done' }
  if (result.reason === 'unavailable') return fault(reasonText('PROVIDER_SILENT'))
  if (result.reason === 'malformed') return fault(reasonText('PROVIDER_UNREADABLE', { field: result.field }))
  const { status, providerErrorCode } = result
  const message = reasonText('PROVIDER_REFUSED', { words: wordsOf(status, providerErrorCode) })
  return isCredentials(status) ? fault(message) : refused(message)
}

async function cancelAndroid(
  ctx: Context,
  project: ProjectState,
  { chainKey, fold }: PurchaseRow,
): Promise<StoreCancel> {
  const client = await androidClient(ctx, project, chainKey).catch(notConfigured)
  if (!client) return refused(reasonText('NO_ANDROID_CREDENTIALS'))
  const answer = await client.cancelSubscription(chainKey, splitAndroidId(fold.storeProductId).productId)
  if (answer.kind === 'ok') return { kind: 'done' }
  if (answer.kind === 'unavailable') return fault(reasonText('PLAY_SILENT'))
  const words = wordsOf(answer.status, answer.reason)
  if (answer.kind === 'not_found') return refused(reasonText('PLAY_UNKNOWN', { words }))
  const message = reasonText('PLAY_REFUSED', { words })
  return answer.why === 'status' ? refused(message) : fault(message)
}

function notConfigured(error: unknown): null {
  if (error instanceof AppError && error.refusal === 'STORE_NOT_CONFIGURED') return null
  throw error
}

/** Credentials that the store rejects: they can be corrected while the action is still being tried. */
const isCredentials = (status: number): boolean => status === 401 || status === 403

const wordsOf = (status: number | null, reason: string | null): string =>
  [status, reason].filter((word) => word !== null).join(' ')

const refused = (message: string): StoreCancel => ({ kind: 'refused', message })
const fault = (message: string): StoreCancel => ({ kind: 'fault', message })
