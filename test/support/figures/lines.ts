import { type Purchase, type Rate, utcDayOf } from './history'
import { usdOf } from './money'
import type { Transaction } from './transactions'

/** Money that moved: a charge, a return of it (refund, chargeback, revocation) or the reversal of a return. */
export interface Line {
  purchase: Purchase
  transactionId: string
  storeProductId: string
  kind: 'CHARGE' | 'RETURN' | 'REVERSAL'
  at: number
  chargedAt: number
  /** When the first charge of the purchase with an amount was made; null = never. */
  firstPaidAt: number | null
  /** Of the charge, as `9.99 EUR`; null = nobody told it. */
  price: string | null
  /** Signed micros of dollars; null = there is no rate. */
  usd: bigint | null
  /** Dollars of the charge that were returned before this line and after it; 0 for the charge. */
  returned: { before: bigint; after: bigint }
}

/** Money lines of a purchase. What has no amount has no line. */
export function linesOf(purchase: Purchase, transactions: readonly Transaction[], rates: readonly Rate[]): Line[] {
  const firstPaidAt = firstPaidAtOf(transactions)
  return transactions.filter(isCharged).flatMap((transaction) => {
    return linesOfCharge(purchase, transaction, rates).map((line) => ({ ...line, firstPaidAt }))
  })
}

/** When the first charge with an amount was made; null = never. */
export const firstPaidAtOf = (transactions: readonly Transaction[]): number | null =>
  transactions.find((one) => isCharged(one) && one.price !== null && one.price.micros > 0n)?.part.purchaseDate ?? null

/** A trial and a grant cost nothing, and a family share was paid by somebody else. */
export const isCharged = ({ part }: Transaction): boolean =>
  !part.isTrial && part.reason !== 'GRANT' && part.ownershipType !== 'FAMILY_SHARED'

function linesOfCharge(
  purchase: Purchase,
  { part, price, markers }: Transaction,
  rates: readonly Rate[],
): Omit<Line, 'firstPaidAt'>[] {
  const day = utcDayOf(part.purchaseDate)
  const storeProductId = part.chargedStoreProductId ?? part.storeProductId
  const written = price && `${decimalOf(price.micros)} ${price.currency}`
  const about = { transactionId: part.transactionId, storeProductId, price: written }
  const base = { purchase, ...about, chargedAt: part.purchaseDate }
  const charge: Omit<Line, 'firstPaidAt'>[] = price
    ? [
        {
          ...base,
          kind: 'CHARGE',
          at: part.purchaseDate,
          usd: usdOf(rates, price.currency, day, price.micros),
          returned: { before: 0n, after: 0n },
        },
      ]
    : []
  const returns = movesOf(price, markers).map(({ kind, at, currency, before, after }): Omit<Line, 'firstPaidAt'> => {
    const [usdBefore, usdAfter] = [usdOf(rates, currency, day, before), usdOf(rates, currency, day, after)]
    if (usdBefore === null || usdAfter === null)
      return { ...base, kind, at, usd: null, returned: { before: 0n, after: 0n } }
    return { ...base, kind, at, usd: usdBefore - usdAfter, returned: { before: usdBefore, after: usdAfter } }
  })
  return [...charge, ...returns]
}

/** At least two digits after the point. */
function decimalOf(micros: bigint): string {
  const digits = String(micros).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6, -4)}${digits.slice(-4).replace(/0+$/, '')}`
}

/** How much of a charge was returned in all, before and after a marker. */
interface Move {
  kind: 'RETURN' | 'REVERSAL'
  at: number
  currency: string
  before: bigint
  after: bigint
}

const movesOf = (price: Transaction['price'], markers: Transaction['markers']): Move[] =>
  price ? movesOfPrice(price, markers) : movesOfUnknownPrice(markers)

/** Never more returns than is left, and never more comes back than was returned. */
function movesOfPrice({ micros: price, currency }: NonNullable<Transaction['price']>, markers: Transaction['markers']) {
  const moves: Move[] = []
  let returned = 0n
  for (const { kind, eventAt, amount } of markers) {
    const isReversal = kind === 'REVERSAL'
    const possible = isReversal ? returned : price - returned
    const told = amount?.currency === currency ? BigInt(amount.amountMicros) : possible
    const moved = told < possible ? told : possible
    if (moved === 0n) continue
    const after = isReversal ? returned - moved : returned + moved
    moves.push({ kind: isReversal ? 'REVERSAL' : 'RETURN', at: eventAt, currency, before: returned, after })
    returned = after
  }
  return moves
}

/**
 * Of a charge whose price nobody told. The first return is all that can return until it is reversed completely. A
 * return without an amount has no line, nor has its reversal.
 */
function movesOfUnknownPrice(markers: Transaction['markers']): Move[] {
  const moves: Move[] = []
  let standing: Standing | null = null
  for (const { kind, eventAt: at, amount } of markers) {
    const told: bigint | null = amount ? BigInt(amount.amountMicros) : null
    // A return needs that nothing was returned, and a reversal needs something that was.
    if (told === 0n || (kind === 'REVERSAL') === (standing === null)) continue
    const before: bigint | null = standing === null ? 0n : standing.micros
    const after: bigint | null = standing === null ? told : takenAgain(before, told)
    const currency: string = standing?.currency ?? amount?.currency ?? ''
    if (before !== null && after !== null)
      moves.push({ kind: kind === 'REVERSAL' ? 'REVERSAL' : 'RETURN', at, currency, before, after })
    standing = after === 0n ? null : { micros: after, currency }
  }
  return moves
}

/** What is returned of a charge; null = something, but nobody told how much. */
interface Standing {
  micros: bigint | null
  currency: string
}

/** What stays returned after a reversal. Of an amount that nobody told, all comes back. */
const takenAgain = (returned: bigint | null, told: bigint | null): bigint =>
  returned === null || told === null || told >= returned ? 0n : returned - told
