import type { Tx } from '../../base/context'
import { findPurchases, type PurchaseRow } from '../../people/purchases/holdings'
import type { Creation } from '../../people/subscribers/creation'
import {
  assertLive,
  ensureSubscriber,
  findSubscriber,
  resolveRow,
  type SubscriberRow,
} from '../../people/subscribers/service'
import type { ClaimedPayment } from './hooks'

/** Who claims a session, who has its purchase now, and the purchase. */
export interface Parties {
  claimer: SubscriberRow
  /** The synthetic buyer before the first claim. Null when that subscriber no longer exists. */
  holder: SubscriberRow | null
  purchase: PurchaseRow | null
}

export interface Asked {
  deviceKey: string
  creation: Creation | null
  projectId: string
  /** The buyer, and after a claim the one who claimed. */
  subscriberId: string | null
  payment: ClaimedPayment | null
}

/** Locks both rows in id order and reads them again: a merge may have committed before the locks were taken. */
export async function lockParties(tx: Tx, asked: Asked): Promise<Parties> {
  const seen = await readParties(tx, asked)
  for (const id of [seen.claimer.id, seen.holder?.id ?? seen.claimer.id].sort()) await tx.lock(`subscriber:${id}`)
  const now = await readParties(tx, asked)
  const isSame = now.claimer.id === seen.claimer.id && now.holder?.id === seen.holder?.id
  return isSame ? now : lockParties(tx, asked)
}

async function readParties(tx: Tx, asked: Asked): Promise<Parties> {
  const { projectId, deviceKey, creation, payment } = asked
  const { row } = await ensureSubscriber(tx, projectId, deviceKey, creation)
  const [purchase = null] = payment?.purchaseId ? await findPurchases(tx, projectId, [payment.purchaseId]) : []
  const holderId = purchase?.subscriberId ?? asked.subscriberId
  const holder = holderId === null ? null : await findSubscriber(tx, projectId, holderId)
  return { claimer: assertLive(row), holder: holder && (await resolveRow(tx, holder)), purchase }
}
