import { isSameMoney, type Money } from '../../base/lib/money'
import { type NextPeriod, type Observation, offerStateOf, type TransactionPart } from '../../stores/observation'
import { type PlacedReport, readHistory } from './history'
import { decisiveOnes } from './imported'
import type { PurchaseFold } from './model'

/**
 * What a purchase costs for each period, and what it will cost from its next period on, where that is known to differ
 * (purchases 4.1). The store tells the price of the next period. It is that of each period when the next one is of the
 * same product under the same offer; after a trial, or before the customer has agreed to it, it is not.
 */
export function priceMembers(
  reports: readonly PlacedReport[],
  part: TransactionPart,
  { expiresAt, autoRenews, priceConsent }: Pick<PurchaseFold, 'expiresAt' | 'autoRenews' | 'priceConsent'>,
): Pick<PurchaseFold, 'price' | 'priceAfter'> {
  const next = nextPeriod(reports, part)
  if (!next) return { price: part.price }
  const told = toldPrice(part, next, priceConsent)
  if (told) return { price: told }
  if (!autoRenews || expiresAt === null || isSameMoney(next.price, part.price)) return { price: part.price }
  return { price: part.price, priceAfter: { price: next.price, from: expiresAt } }
}

/** What the store reported of the next period, when it is the price of each period; null = it is not. */
function toldPrice(part: TransactionPart, next: NextPeriod, consent: Consent): Money | null {
  const isSame = next.storeProductId === part.storeProductId && next.offer === offerStateOf(part)
  return isSame && !part.isTrial && consent !== 'PENDING' ? next.price : null
}

type Consent = PurchaseFold['priceConsent']

/** From when on a transaction had a price, until the next term of the purchase. */
export interface PriceTerm {
  from: number
  transactionId: string
  /** As the store reported it beside the charge; null = that of the charge. */
  told: Money | null
  /** It came with the charge, so it counts as soon as the charge does. */
  isOfCharge: boolean
}

/** The prices of a purchase in order, by what is known now. What is reported about a period ends where the next one starts. */
export function priceTerms(observations: readonly Observation[]): PriceTerm[] {
  const { transactions, reports } = readHistory(decisiveOnes(observations))
  const words = Map.groupBy(wordsOf(reports), ({ currentId }) => currentId)
  return transactions.flatMap(({ part }, index) => {
    const { transactionId, purchaseDate, ownershipType } = part
    const until = transactions[index + 1]?.part.purchaseDate ?? Number.POSITIVE_INFINITY
    const own = ownershipType === 'FAMILY_SHARED' ? [] : (words.get(transactionId) ?? [])
    const told = own.map(({ eventAt, next, consent }) => ({
      from: Math.max(eventAt, purchaseDate),
      transactionId,
      told: next && toldPrice(part, next, consent),
      isOfCharge: false,
    }))
    return [
      { from: purchaseDate, transactionId, told: null, isOfCharge: true },
      ...told.filter(({ from }) => from < until),
    ]
  })
}

/** The words on the next period after each report, and the consent to its price, which concerns the chain. */
function wordsOf(reports: readonly PlacedReport[]) {
  const told = new Map<string | null, NextPeriod>()
  let consent: Consent = null
  return reports.map(({ report: { renewal, eventAt }, currentId }) => {
    if (renewal?.priceConsent !== undefined) consent = renewal.priceConsent
    if (renewal?.next) told.set(currentId, renewal.next)
    return { eventAt, currentId, next: told.get(currentId) ?? null, consent }
  })
}

/** The last that was reported while the present transaction was the current one. A family share costs its holder nothing. */
function nextPeriod(reports: readonly PlacedReport[], part: TransactionPart): NextPeriod | null {
  if (part.ownershipType === 'FAMILY_SHARED') return null
  const told = reports.findLast(
    ({ report, currentId }) => report.renewal?.next !== undefined && currentId === part.transactionId,
  )
  return told?.report.renewal?.next ?? null
}
