import { monthsOf } from '../../../insight/figures/monthly'
import { periodPrice } from '../../../insight/figures/period-price'
import { standingOf } from '../../../insight/figures/states'
import { momentAt } from '../../../insight/figures/timeline'
import type { CatalogSnapshot } from '../../../projects/catalog/snapshot'
import { isCharge } from '../lines'
import type { TransactionLine } from '../model'
import { priceTerms } from '../price'
import { findStoreProduct } from '../store-product'
import type { Book } from './book.fixtures'
import type { HeldLine } from './held-line.fixtures'

/** The monthly recurring revenue of one purchase, by the rules of the figures, in micros of its currency. */
export function mrrOf(
  catalog: CatalogSnapshot,
  { known, type, store, money }: Pick<HeldLine, 'known' | 'type' | 'store' | 'money'>,
  now: number,
): number {
  const rowOf = (line: TransactionLine) => ({ id: line.key, usdMicros: line.price?.amountMicros ?? null })
  const saved = money.filter(isCharge).map((line) => [line.storeTransactionId, { line, row: rowOf(line) }] as const)
  const toUsd: Rules['toUsd'] = ({ amountMicros }) => amountMicros
  // Only these two members of a row decide the recurring revenue.
  const charged = new Map(saved) as unknown as Rules['charged']
  const terms = priceTerms(known)
  return standingOf(momentAt(known, type, now), {
    charged,
    toUsd,
    priceOf: (charge, at) => periodPrice(terms, charge, at, { charged, toUsd }),
    monthsOf: ({ storeProductId, occurredAt, period }, end) =>
      monthsOf(period ?? findStoreProduct(catalog, storeProductId, store)?.period ?? null, occurredAt, end),
  }).mrr
}

type Rules = Parameters<typeof standingOf>[1]

/** The monthly recurring revenue of all purchases at an instant. */
export function mrrOfBook({ purchases }: Book, catalog: CatalogSnapshot, now: number): number {
  const held = [...purchases.values()].map(({ lines, ...one }) => ({ ...one, money: [...lines.values()] }))
  return held.reduce((sum, one) => sum + mrrOf(catalog, one, now), 0)
}
