import type { Tx } from '../../base/context'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'

export interface Parties {
  /** Whoever submits the receipt. */
  subscriber: SubscriberRow
  /** What it is about, as far as it is known. */
  purchases: PurchaseRow[]
  /** The subscriber was made by this transaction and holds nothing yet. */
  isNew: boolean
}

/** Reads parties until the locks of all their subscribers are held. */
export async function lockRead(tx: Tx, read: () => Promise<Parties>): Promise<Parties> {
  const first = await read()
  if (!tx.needsLocks) return first
  const locked = idsOf(first)
  for (const id of locked.toSorted()) await tx.lock(`subscriber:${id}`)
  const parties = await read()
  return idsOf(parties).every((id) => locked.includes(id)) ? parties : lockRead(tx, read)
}

const idsOf = ({ subscriber, purchases }: Parties): string[] => [
  ...new Set([subscriber.id, ...purchases.map(({ subscriberId }) => subscriberId)]),
]
