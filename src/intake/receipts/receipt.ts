import type { Context, Tx } from '../../base/context'
import { balancesByCode } from '../../people/currencies/service'
import { currentAccess } from '../../people/entitlements/service'
import type { AccessMap } from '../../people/subscribers/access-map'
import type { Platform, SubscriberRow } from '../../people/subscribers/service'
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
  platform: Platform | null
  requestId: string
  /** Why it is submitted; absent = RECEIPT. */
  causeKind?: 'RECEIPT' | 'RESTORE'
}

/** Whether the caller used the secret or the public key. An account token is trusted only with the secret one. */
export type Presenter = Pick<KeyState, 'presented'>

export interface ReceiptResult {
  subscriber: SubscriberRow
  access: AccessMap
  balances: Record<string, number>
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
