import type { Tx } from '../../base/context'
import type { SavedLine } from '../../people/purchases/line-rows'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'

/** A purchase to which observations were added. */
export interface RecordedPurchase {
  project: ProjectState
  /** Null for an unlisted sale, which has no owner. */
  owner: SubscriberRow | null
  purchase: PurchaseRow
  isNew: boolean
  /** All of them, and those of them that are new. */
  observations: readonly Observation[]
  fresh: readonly Observation[]
  saved: readonly SavedLine[]
  /** The fold of the purchase was computed from just these observations, by this program. */
  isFolded?: true
  /** Its product, or that of one of its lines, is in the catalogue only now. */
  isLinked?: boolean
}

/** Purchases that turned out to be another one. */
export interface JoinedPurchases {
  projectId: string
  survivorId: string
  mergedIds: readonly string[]
  /** The store transactions of the purchases that go. */
  transactionIds: readonly string[]
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Runs in the transaction that records a purchase, after its row and its money lines. */
    onRecorded: (tx: Tx, recorded: RecordedPurchase) => Promise<void>
    /** The same for many purchases at once. Every slice with the one hook has the other. */
    onRecordedMany: (tx: Tx, recorded: readonly RecordedPurchase[]) => Promise<void>
    /** Runs before purchases are removed as if they had never been recorded. */
    onUnrecorded: (tx: Tx, purchaseIds: readonly string[]) => Promise<void>
    /** Runs before purchases are joined with another one, so that what names them names that one. */
    onJoined: (tx: Tx, joined: JoinedPurchases) => Promise<void>
  }
}

export async function runOnRecorded(tx: Tx, recorded: RecordedPurchase): Promise<void> {
  for (const onRecorded of tx.hooks.onRecorded ?? []) await onRecorded(tx, recorded)
}

export async function runOnRecordedMany(tx: Tx, recorded: readonly RecordedPurchase[]): Promise<void> {
  if (recorded.length > 0) for (const onRecorded of tx.hooks.onRecordedMany ?? []) await onRecorded(tx, recorded)
}

export async function runOnUnrecorded(tx: Tx, purchaseIds: readonly string[]): Promise<void> {
  if (purchaseIds.length > 0)
    for (const onUnrecorded of tx.hooks.onUnrecorded ?? []) await onUnrecorded(tx, purchaseIds)
}

export async function runOnJoined(tx: Tx, joined: JoinedPurchases): Promise<void> {
  for (const onJoined of tx.hooks.onJoined ?? []) await onJoined(tx, joined)
}
