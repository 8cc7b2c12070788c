import type { Clawback } from '../../projects/project/settings'
import type { LedgerType } from './tables'

/** The balance and the number of the last row of a subscriber's ledger in one currency; both are 0 without a row. */
export interface LedgerState {
  balance: number
  number: number
}

export const EMPTY_LEDGER: LedgerState = { balance: 0, number: 0 }

/** Amounts and balances stay within ±(2^53−1), where every integer is exact. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER

export type LedgerRefusal = 'insufficient' | 'overflow'

export type Applied = ({ ok: true } & LedgerState) | { ok: false; reason: LedgerRefusal }

/** The lowest balance that an entry may lead to. A spend stops at 0; a refund or a merge may leave a debt. */
const FLOORS: Record<LedgerType, number> = {
  PURCHASE: 0,
  SPEND: 0,
  BONUS: 0,
  EXPIRE: 0,
  REFUND: -MAX_AMOUNT,
  TRANSFER_IN: -MAX_AMOUNT,
  TRANSFER_OUT: -MAX_AMOUNT,
}

/** The state after one more entry. A credit is never `insufficient`, even when the balance is still below 0 after it. */
export function applyAmount(last: LedgerState, type: LedgerType, amount: number): Applied {
  const balance = last.balance + amount
  if (amount < 0 && balance < FLOORS[type]) return { ok: false, reason: 'insufficient' }
  if (!Number.isSafeInteger(balance)) return { ok: false, reason: 'overflow' }
  return { ok: true, balance, number: last.number + 1 }
}

/** The amount (0 or more) that a refund of `granted` takes back: `available` stops at balance 0, `full` at −(2^53−1). */
export function amountToTakeBack(balance: number, granted: number, clawback: Clawback): number {
  if (clawback === 'none') return 0
  if (clawback === 'available') return Math.min(granted, Math.max(balance, 0))
  return Math.min(granted, MAX_AMOUNT + balance)
}

export interface PlannedMove {
  currencyId: string
  wanted: number
  /** The part of `wanted` that can move with both balances staying in range. */
  amount: number
}

type States = ReadonlyMap<string, LedgerState>

/**
 * What moves when a subscriber is merged into another: every balance, debts (negative) included. `amounts` (currency
 * id -> amount) is for an undo: these amounts move, but no more than the balance still holds; debts move in full.
 */
export function planTransfer(from: States, to: States, amounts?: Readonly<Record<string, number>>): PlannedMove[] {
  const moves = [...from].map(([currencyId, { balance }]) => {
    const wanted = amounts ? amountToReturn(balance, amounts[currencyId] ?? 0) : balance
    return { currencyId, wanted, amount: amountThatMoves(balance, to.get(currencyId)?.balance ?? 0, wanted) }
  })
  return moves.filter(({ wanted }) => wanted !== 0).sort((a, b) => (a.currencyId < b.currencyId ? -1 : 1))
}

const amountToReturn = (balance: number, moved: number): number =>
  moved < 0 ? moved : Math.min(moved, Math.max(balance, 0))

function amountThatMoves(from: number, to: number, wanted: number): number {
  const most = Math.min(wanted, MAX_AMOUNT - to, MAX_AMOUNT + from)
  return Math.max(most, -MAX_AMOUNT - to, from - MAX_AMOUNT)
}
