import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import { iosApiClient } from '../../projects/connections/ios-api'
import type { ProjectState } from '../../projects/project/state'
import type { IosApiClient } from '../../stores/ios/api-client'
import type { ApiResult } from '../../stores/ios/api-client-answer'
import type { DecodedTransaction } from '../../stores/ios/decode'
import { type StatusAnswer, verifyStatus } from '../../stores/ios/status'
import { recordNotified } from './record'

/**
 * Fetches a purchase from the App Store and records the answer like a notification. A purchase that the store does not
 * know stays unchanged. No transaction may be open; 503 `STORE_UNAVAILABLE` or 502 `STORE_API_ERROR` when the call
 * fails.
 */
export async function refreshIosPurchase(
  ctx: Context,
  project: ProjectState,
  purchase: PurchaseRow,
  cause: EventCause,
): Promise<void> {
  const client = await iosApiClient(ctx, project)
  if (!client || !project.ios) throw new AppError('STORE_NOT_CONFIGURED')
  const answer = await ask(client, purchase)
  if (!answer) return
  const { environment, originalTransactionId } = purchase
  const { bundleId } = project.ios
  const result = await verifyStatus(answer, ctx.state.iosStore.of(project.id), {
    bundleId,
    environment,
    originalTransactionId,
  })
  if (!result.ok) throw unusable(`its answer was refused (${result.detail})`)
  const { transaction } = result
  if (isAbout(transaction, purchase)) await ctx.write((tx) => recordNotified(tx, project, transaction, cause))
}

async function ask(client: IosApiClient, purchase: PurchaseRow): Promise<StatusAnswer | null> {
  const { environment, originalTransactionId, fold } = purchase
  if (fold.productType !== 'SUBSCRIPTION') {
    const bought = readResult(await client.getTransactionInfo(environment, fold.storeTransactionId))
    return bought && { ...bought, status: null, signedRenewalInfo: null }
  }
  const statuses = readResult(await client.getAllSubscriptionStatuses(environment, originalTransactionId))
  const held = statuses?.data.flatMap(({ lastTransactions }) => lastTransactions) ?? []
  return held.find((one) => one.originalTransactionId === originalTransactionId) ?? null
}

/** Null when the store has no such purchase or the id is invalid. */
function readResult<Value>(result: ApiResult<Value>): Value | null {
  if (result.ok) return result.value
  if (result.kind === 'unavailable')
    throw new AppError('STORE_UNAVAILABLE', undefined, { cause: new Error('the App Store did not answer') })
  const { status, errorCode } = result
  if (status === 404 || status === 400) return null
  throw unusable(`it answered ${status}, error ${errorCode ?? 'unnamed'}`)
}

const unusable = (why: string): AppError =>
  new AppError('STORE_API_ERROR', undefined, { cause: new Error(`App Store: ${why}`) })

/**
 * Whether a fetched transaction belongs to the purchase. A family share is recorded for all its holders. A transaction
 * with another ownership type would create a new purchase.
 */
const isAbout = (
  { ownershipType, chainKey, transactionId, originalTransactionId }: DecodedTransaction,
  { fold, chainKey: held }: PurchaseRow,
): boolean =>
  ownershipType === fold.ownershipType &&
  (ownershipType === 'FAMILY_SHARED' || [chainKey, transactionId, originalTransactionId].includes(held))
