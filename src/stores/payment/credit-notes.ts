import { divide } from '../../base/lib/divide'
import { type CreditNote, idOf, type Refund } from './shapes'

/** What refunds returned of single lines, by the refund's id and the line's key, in the currency's smallest unit. */
export type NamedRefunds = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Seconds that the provider may take from a refund to its credit note, when it makes both in one request. */
const SAME_REQUEST = 60

/**
 * What the credit notes of an invoice say about its refunds. Money of a note that was not refunded (a credit for later
 * invoices) is not in it. A note that is linked to an older refund says nothing: the refund was divided before.
 *
 * @param keyOf the key of the line that an invoice's line is about, by the id of the invoice's line
 */
export function readNamedRefunds(
  notes: readonly CreditNote[],
  refunds: readonly Refund[],
  keyOf: ReadonlyMap<string, string>,
): NamedRefunds {
  const named = new Map<string, Map<string, number>>()
  for (const { status, created, lines, refunds: linked } of notes) {
    if (status === 'void') continue
    const returned = linked.flatMap(({ refund, amount_refunded }) => {
      const made = refund !== null && refunds.find(({ id }) => id === idOf(refund))
      return made && created <= made.created + SAME_REQUEST ? [{ id: made.id, amount: amount_refunded }] : []
    })
    for (const { id, amount } of returned) {
      const own = named.get(id) ?? new Map<string, number>()
      named.set(id, own)
      for (const [key, share] of sharesOf(amount, lines.data, keyOf)) own.set(key, (own.get(key) ?? 0) + share)
    }
  }
  return named
}

/** A refund can be less than its note, and the lines are amounts before discounts and taxes, so they are proportions. */
function sharesOf(
  amount: number,
  lines: readonly Line[],
  keyOf: ReadonlyMap<string, string>,
): (readonly [key: string, share: number])[] {
  const shares = divide(amount, lines.map(creditOf))
  return lines.flatMap(({ invoice_line_item }, index) => {
    const key = invoice_line_item === undefined ? undefined : keyOf.get(invoice_line_item)
    return key === undefined ? [] : [[key, shares[index] ?? 0] as const]
  })
}

type Line = CreditNote['lines']['data'][number]

/** What a line credits: its amount less discounts, with the taxes that are not part of the amount. */
const creditOf = ({ amount, discount_amount, taxes }: Line): number =>
  (taxes ?? [])
    .filter(({ tax_behavior }) => tax_behavior === 'exclusive')
    .reduce((sum, tax) => sum + tax.amount, amount - discount_amount)
