import { isInt64, MAX_INT64 } from '../../base/lib/int64'
import type { Clawback } from '../../core/project/settings'
import type { LedgerType } from './tables'

/** The balance and the number of the last row of a subscriber's ledger in one currency; both are 0 without a row. */
export interface LedgerState {
  balance: bigint
  number: number
}

export const EMPTY_LEDGER: LedgerState = { balance: 0n, number: 0 }

export type LedgerRefusal = 'insufficient' | 'overflow'

export type Applied = ({ ok: true } & LedgerState) | { ok: false; reason: LedgerRefusal }

/** The lowest balance that an entry may lead to. A spend stops at 0; a refund or a merge may leave a debt. */
const FLOORS: Record<LedgerType, bigint> = {
  PURCHASE: 0n,
  SPEND: 0n,
  BONUS: 0n,
  EXPIRE: 0n,
  REFUND: -MAX_INT64,
  TRANSFER_IN: -MAX_INT64,
  TRANSFER_OUT: -MAX_INT64,
}

/** The state after one more entry. A credit is never `insufficient`, even when the balance is still below 0 after it. */
export function applyAmount(last: LedgerState, type: LedgerType, amount: bigint): Applied {
  const balance = last.balance + amount
  if (amount < 0n && balance < FLOORS[type]) return { ok: false, reason: 'insufficient' }
  if (!isInt64(amount) || !isInt64(balance)) return { ok: false, reason: 'overflow' }
  return { ok: true, balance, number: last.number + 1 }
}

/** The amount (0 or more) that a refund of `granted` takes back: `available` stops at balance 0, `full` at −(2^63−1). */
export function amountToTakeBack(balance: bigint, granted: bigint, clawback: Clawback): bigint {
  if (clawback === 'none') return 0n
  if (clawback === 'available') return min(granted, max(balance, 0n))
  return min(granted, MAX_INT64 + balance)
}

/**
 * What a refund of a part still takes; below 0: what it gives back. `taken` is what it took so far, null = it never took.
 * `amount` is what it is for, `before` what it was for when it took: it may have taken less, when no more was there.
 */
export function partToTake(taken: bigint | null, { amount, before }: { amount: bigint; before: bigint }): bigint {
  if (taken === null) return amount
  if (amount > before) return amount - before
  return amount === 0n || amount < before ? min(amount - taken, 0n) : 0n
}

export interface PlannedMove {
  currencyId: string
  wanted: bigint
  /** The part of `wanted` that can move with both balances staying in range. */
  amount: bigint
}

type States = ReadonlyMap<string, LedgerState>

/**
 * What moves when a subscriber is merged into another: every balance, debts (negative) included. `amounts` (currency
 * id -> amount) is for an undo: these amounts move, but no more than the balance still holds; debts move in full.
 */
export function planTransfer(from: States, to: States, amounts?: Readonly<Record<string, bigint>>): PlannedMove[] {
  const moves = [...from].map(([currencyId, { balance }]) => {
    const wanted = amounts ? amountToReturn(balance, amounts[currencyId] ?? 0n) : balance
    return { currencyId, wanted, amount: amountThatMoves(balance, to.get(currencyId)?.balance ?? 0n, wanted) }
  })
  return moves.filter(({ wanted }) => wanted !== 0n).sort((a, b) => (a.currencyId < b.currencyId ? -1 : 1))
}

const amountToReturn = (balance: bigint, moved: bigint): bigint => (moved < 0n ? moved : min(moved, max(balance, 0n)))

function amountThatMoves(from: bigint, to: bigint, wanted: bigint): bigint {
  const most = min(wanted, MAX_INT64 - to, MAX_INT64 + from)
  return max(most, -MAX_INT64 - to, from - MAX_INT64)
}

function min(first: bigint, ...others: bigint[]): bigint {
  let lowest = first
  for (const other of others) if (other < lowest) lowest = other
  return lowest
}

function max(first: bigint, ...others: bigint[]): bigint {
  let highest = first
  for (const other of others) if (other > highest) highest = other
  return highest
}
