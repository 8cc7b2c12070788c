import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { JsonInteger } from '../../base/lib/int64'
import { balancesByCode } from '../../people/currencies/service'
import { currentAccess } from '../../people/entitlements/service'
import type { AccessMap } from '../../people/subscribers/access-map'
import type { Creation } from '../../people/subscribers/creation'
import { type SubscriberRow, subscriberOfDevice } from '../../people/subscribers/service'
import type { KeyState, ProjectState } from '../../projects/project/state'

export interface ReceiptInput {
  receipt: string
  /** The device key. */
  deviceKey: string
  /** Our identifier or the store's product id. */
  productId: string
  presentedContext: Record<string, unknown> | null
  /** Not signed by the store, so trusted only with a secret key. */
  appAccountToken: string | null
  creation: Creation | null
  requestId: string
  /** Why it is submitted; absent = RECEIPT. */
  causeKind?: 'RECEIPT' | 'RESTORE'
}

/** Whether the caller used the secret or the public key. An account token is trusted only with the secret one. */
export type Presenter = Pick<KeyState, 'presented'>

export interface ReceiptResult {
  subscriber: SubscriberRow
  access: AccessMap
  balances: Record<string, JsonInteger>
}

/** The current access and balances: the answer to a receipt and to its repetition. */
export async function resultFor(
  reader: Context | Tx,
  project: ProjectState,
  subscriber: SubscriberRow,
): Promise<ReceiptResult> {
  const access = await currentAccess(reader, project, subscriber)
  return { subscriber, access, balances: await balancesByCode(reader, project, subscriber.id) }
}

/**
 * Records a receipt. When it is refused because another person owns it, the transaction writes nothing, and the
 * subscriber of the calling device is created in its own: support can then transfer the purchase to it (wire 2.7).
 */
export async function recordKeepingDevice<Result>(
  ctx: Context,
  { id }: ProjectState,
  { deviceKey, creation }: Pick<ReceiptInput, 'deviceKey' | 'creation'>,
  record: () => Promise<Result>,
): Promise<Result> {
  try {
    return await record()
  } catch (error) {
    if (isInUse(error)) await subscriberOfDevice(ctx, id, deviceKey, creation)
    throw error
  }
}

const isInUse = (error: unknown): boolean => error instanceof AppError && error.refusal === 'RECEIPT_IN_USE'
