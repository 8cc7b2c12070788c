import type { LedgerType } from '../../people/currencies/tables'

/** A ledger entry other than spending: a grant, a grant taken back, or a transfer between balances. */
export interface CreditEntry {
  type: LedgerType
  amount: bigint
  grantReference: string | null
}

/** One person's history of one currency, across all their merged rows. */
export interface CreditHistory {
  /** In the order in which they were booked. */
  entries: readonly CreditEntry[]
  /** The total amount spent, 0 or more. */
  spent: bigint
}

export interface GrantUse {
  granted: bigint
  spent: bigint
}

/**
 * How many of the credits that one charge granted are spent. The oldest credits are spent first: with 50 older credits,
 * 100 granted and 80 spent, 30 of the 100 are spent. Credits transferred to somebody else count as spent. Credits
 * received from somebody count as older credits. The part of a grant that was taken back does not count.
 */
export function usedOf(reference: string, { entries, spent }: CreditHistory): GrantUse {
  const moved = sum(entries.filter(isMove))
  let before = atLeast0(moved)
  const gone = spent + atLeast0(0n - moved)
  const backOf = takenBack(entries)
  const use: GrantUse = { granted: 0n, spent: 0n }
  for (const entry of entries) {
    if (isMove(entry) || entry.amount <= 0n) continue
    const amount = entry.amount - (backOf.get(`refund:${entry.grantReference}`) ?? 0n)
    if (isGrantOf(reference, entry)) {
      use.granted += amount
      const used = atLeast0(gone - before)
      use.spent += used < amount ? used : amount
    }
    before += amount
  }
  return use
}

const isMove = ({ type }: CreditEntry): boolean => type === 'TRANSFER_IN' || type === 'TRANSFER_OUT'

/** After a refund was reversed, the grant is booked again under its reference with a number. */
const isGrantOf = (reference: string, { grantReference }: CreditEntry): boolean =>
  grantReference === reference || grantReference?.startsWith(`${reference}:`) === true

/** The amount taken back of each grant, by the reference of the entry that took it back. */
function takenBack(entries: readonly CreditEntry[]): Map<string, bigint> {
  const back = new Map<string, bigint>()
  for (const { grantReference, amount } of entries)
    if (grantReference !== null && amount < 0n) back.set(grantReference, 0n - amount)
  return back
}

const sum = (entries: readonly CreditEntry[]): bigint => entries.reduce((total, { amount }) => total + amount, 0n)

const atLeast0 = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
