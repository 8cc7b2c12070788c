import type { Context } from '../../base/context'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { KeyState, ProjectState } from '../../projects/project/state'
import type { ReceiptInput } from './receipt'

export type ReceiptStore = 'IOS_STORE' | 'ANDROID_STORE'

export interface SubmittedReceipt {
  store: ReceiptStore
  receipt: string
  /** Our identifier or the store's product id. */
  productId: string
}

/** How a restore calls a store. Every call may throw the refusals and outages of wire 2.7. */
export interface RestoringStore {
  /** Verifies and records one receipt for the device key in the input. */
  submit(ctx: Context, project: ProjectState, key: KeyState, input: ReceiptInput): Promise<unknown>
  /** Whether the subscriber owns the purchase in the receipt now. Used for a repetition, which records nothing. */
  isHeld(ctx: Context, project: ProjectState, subscriber: SubscriberRow, submitted: SubmittedReceipt): Promise<boolean>
}
