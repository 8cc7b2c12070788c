import type { Tx } from '../../base/context'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'

export interface Parties {
  /** The subscriber who submits the receipt. */
  subscriber: SubscriberRow
  /** The purchases in the receipt that are recorded already. */
  purchases: PurchaseRow[]
  /** This transaction created the subscriber, who holds nothing yet. */
  isNew: boolean
}

/**
 * Locks the subscribers of the parties and reads again, until the locks of all of them are held. `held`: the subscribers
 * whose locks the transaction has taken already. When these are all, one reading is enough. A subscriber that this
 * transaction has made is known to no other one before the commit, and needs no lock.
 */
export async function lockRead(
  tx: Tx,
  read: () => Promise<Parties>,
  held: readonly (string | null)[] = [],
): Promise<Parties> {
  const first = await read()
  if (!tx.needsLocks) return first
  const locked = idsOf(first)
  const known = first.isNew ? [...held, first.subscriber.id] : held
  if (locked.every((id) => known.includes(id))) return first
  for (const id of locked.toSorted()) await tx.lock(`subscriber:${id}`)
  const parties = await read()
  return idsOf(parties).every((id) => locked.includes(id)) ? parties : lockRead(tx, read)
}

const idsOf = ({ subscriber, purchases }: Parties): string[] => [
  ...new Set([subscriber.id, ...purchases.map(({ subscriberId }) => subscriberId)]),
]
