import type { Tx } from '../../base/context'
import { notFound } from '../../base/errors'
import { findSubscriber, resolveRow, type SubscriberRow } from '../subscribers/service'
import { applyAmount, EMPTY_LEDGER, type LedgerRefusal, type LedgerState } from './ledger'
import { insertEntry, type LedgerRow, readStates, saveState } from './queries'

type OptionalColumn = 'idempotencyKey' | 'grantReference' | 'referenceType' | 'referenceId' | 'description'

/** A ledger entry to be; the amount is signed, and columns left out are null. */
export type EntryDraft = Pick<LedgerRow, 'projectId' | 'subscriberId' | 'currencyId' | 'type' | 'amount'> &
  Partial<Pick<LedgerRow, OptionalColumn>>

/** `repeated`: an entry with this grantReference exists already, perhaps with another subscriber. */
export type Booked = { ok: true; entry: LedgerRow } | { ok: false; reason: LedgerRefusal | 'repeated' }

/**
 * Appends one ledger entry and moves the balance, or refuses and writes nothing. Bookings of a subscriber are
 * serialised by the subscriber's lock, which a merge holds too; should somebody book without it, the unique
 * (subscriber, currency, number) makes one of the two transactions start again. The caller writes `currencyEvent`.
 */
export async function bookEntry(tx: Tx, draft: EntryDraft): Promise<Booked> {
  await lockSubscriber(tx, draft.subscriberId)
  const states = await readStates(tx, draft.subscriberId)
  return appendEntry(tx, states.get(draft.currencyId), draft)
}

/** As `bookEntry`, for a caller that holds the lock and has read the ledger's last state under it. */
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

/** Takes the lock of whoever a row leads to now: a merge may have come between the caller's read and its turn. */
export async function lockOwner(tx: Tx, projectId: string, subscriberId: string): Promise<SubscriberRow> {
  await lockSubscriber(tx, subscriberId)
  const row = await findSubscriber(tx, projectId, subscriberId)
  if (!row) throw notFound()
  if (row.mergedInto === null) return row
  return lockOwner(tx, projectId, (await resolveRow(tx, row)).id)
}
