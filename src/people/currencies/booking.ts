import type { Tx } from '../../base/context'
import { notFound } from '../../base/errors'
import { findSubscriber, resolveRow, type SubscriberRow } from '../subscribers/service'
import { applyAmount, EMPTY_LEDGER, type LedgerRefusal, type LedgerState } from './ledger'
import { insertEntry, type LedgerRow, readStates, saveState } from './queries'

type OptionalColumn = 'idempotencyKey' | 'grantReference' | 'referenceType' | 'referenceId' | 'description'

/** A ledger entry to be booked. The amount is signed; optional columns that are absent become null. */
export type EntryDraft = Pick<LedgerRow, 'projectId' | 'subscriberId' | 'currencyId' | 'type' | 'amount'> &
  Partial<Pick<LedgerRow, OptionalColumn>>

/** `repeated`: an entry with this grantReference exists already, perhaps in another subscriber's ledger. */
export type Booked = { ok: true; entry: LedgerRow } | { ok: false; reason: LedgerRefusal | 'repeated' }

/**
 * Appends one ledger entry and changes the balance, or refuses and writes nothing. The subscriber's lock makes bookings
 * run one after another; a merge takes the same lock. Without the lock, the unique key (subscriber, currency, number)
 * would make one of two parallel transactions start again. The caller must write `currencyEvent`.
 */
export async function bookEntry(tx: Tx, draft: EntryDraft): Promise<Booked> {
  await lockSubscriber(tx, draft.subscriberId)
  const states = await readStates(tx, draft.subscriberId)
  return appendEntry(tx, states.get(draft.currencyId), draft)
}

/** Like `bookEntry`, for a caller that holds the lock and has read the ledger's last state since it took the lock. */
export async function appendEntry(tx: Tx, last: LedgerState | undefined, draft: EntryDraft): Promise<Booked> {
  const applied = applyAmount(last ?? EMPTY_LEDGER, draft.type, draft.amount)
  if (!applied.ok) return applied
  const { balance, number } = applied
  const entry = await insertEntry(tx, { ...BLANK, ...draft, ...stamp(tx), balance, number })
  if (!entry) return { ok: false, reason: 'repeated' }
  await saveState(tx, entry)
  return { ok: true, entry }
}

const BLANK: Record<OptionalColumn, null> = {
  idempotencyKey: null,
  grantReference: null,
  referenceType: null,
  referenceId: null,
  description: null,
}

const stamp = (tx: Tx) => ({ id: tx.ids.next('vtx'), createdAt: tx.clock.now() })

export const lockSubscriber = (tx: Tx, subscriberId: string): Promise<void> => tx.lock(`subscriber:${subscriberId}`)

/** Locks and returns the row at the end of the merge chain: a merge may have committed since the caller read the id. */
export async function lockOwner(tx: Tx, projectId: string, subscriberId: string): Promise<SubscriberRow> {
  await lockSubscriber(tx, subscriberId)
  const row = await findSubscriber(tx, projectId, subscriberId)
  if (!row) throw notFound('subscriber', subscriberId)
  if (row.mergedInto === null) return row
  return lockOwner(tx, projectId, (await resolveRow(tx, row)).id)
}
