import type { LedgerType } from '../../people/currencies/tables'

/** A ledger entry that is no spending: a credit, what was taken back of one, or a move between balances. */
export interface CreditEntry {
  type: LedgerType
  amount: number
  grantReference: string | null
}

/** One currency of one person, whichever of their merged rows it was booked on. */
export interface CreditHistory {
  /** In the order in which they were booked. */
  entries: readonly CreditEntry[]
  /** What was spent of the currency in all, 0 or more. */
  spent: number
}

export interface GrantUse {
  granted: number
  spent: number
}

/**
 * How much of what one charge granted is spent, oldest credits first: with 50 older credits, 100 granted and 80 spent,
 * 30 of the 100 are. What moved away to somebody else counts as spent, what came from somebody as an older credit, and
 * of a grant that was taken back only what had been spent before is left.
 */
export function usedOf(reference: string, { entries, spent }: CreditHistory): GrantUse {
  const moved = sum(entries.filter(isMove))
  let before = Math.max(0, moved)
  const gone = spent + Math.max(0, 0 - moved)
  const backOf = takenBack(entries)
  const use: GrantUse = { granted: 0, spent: 0 }
  for (const entry of entries) {
    if (isMove(entry) || entry.amount <= 0) continue
    const amount = entry.amount - (backOf.get(`refund:${entry.grantReference}`) ?? 0)
    if (isGrantOf(reference, entry)) {
      use.granted += amount
      use.spent += Math.min(Math.max(gone - before, 0), amount)
    }
    before += amount
  }
  return use
}

const isMove = ({ type }: CreditEntry): boolean => type === 'TRANSFER_IN' || type === 'TRANSFER_OUT'

/** A reference is booked again, with a number, after it was taken back and the refund reversed. */
const isGrantOf = (reference: string, { grantReference }: CreditEntry): boolean =>
  grantReference === reference || grantReference?.startsWith(`${reference}:`) === true

/** What was taken back of each grant, by the name of the entry that took it. */
function takenBack(entries: readonly CreditEntry[]): Map<string, number> {
  const back = new Map<string, number>()
  for (const { grantReference, amount } of entries)
    if (grantReference !== null && amount < 0) back.set(grantReference, 0 - amount)
  return back
}

const sum = (entries: readonly CreditEntry[]): number => entries.reduce((total, { amount }) => total + amount, 0)
