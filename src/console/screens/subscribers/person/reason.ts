import type { Schemas } from '../../../api/schemas'
import { type Product, type Purchase, productName, useProducts } from '../../../parts/use-person'
import { useWords, type Words } from '../../../parts/words'

type Explanation = Schemas['AccessExplanation']
type GrantRule = keyof Words['t']['grantReasons']
type Rule = keyof Words['t']['reasons']

/** The reason that the server gives for an access, in words: a sentence, and a few words for lists. */
export function useReason(): (explanation: Explanation) => { sentence: string; short: string } {
  const words = useWords()
  const products = useProducts()
  return (explanation) => ({
    sentence: sentenceOf(explanation, words, products),
    short: shortOf(explanation, words),
  })
}

function sentenceOf(explanation: Explanation, words: Words, products: ReadonlyMap<string, Product>): string {
  const { decidedBy, candidates } = explanation
  const candidate = candidates.find(({ purchase }) => purchase.id === decidedBy?.purchaseId) ?? candidates[0]
  if (!candidate) return words.t.neverBought
  return ruleSentence(decidedBy?.rule ?? candidate.rule, candidate.purchase, words, products)
}

/** One rule about one purchase. A rule that this page does not know is shown as the API spells it. */
export function ruleSentence(
  rule: string,
  purchase: Purchase,
  { t, store, time }: Words,
  products: ReadonlyMap<string, Product>,
): string {
  if (purchase.store === 'MANUAL' && rule in t.grantReasons)
    return t.grantReasons[rule as GrantRule](purchase.effectiveEnd === null ? '' : time(purchase.effectiveEnd))
  const sentence = t.reasons[rule as Rule]
  if (sentence === undefined) return rule
  const isGrant = purchase.store === 'MANUAL' && purchase.productId === null
  const name = isGrant ? t.granted : productName(products, purchase)
  const at = rule === 'REFUNDED' ? purchase.refundedAt : (purchase.effectiveEnd ?? purchase.expiresAt)
  return capital(sentence(name, store(purchase.store), at === null ? '' : time(at)))
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function shortOf({ isActive, decidedBy, candidates }: Explanation, { t, day, status }: Words): string {
  if (isActive) return t.shortActive(decidedBy?.effectiveEnd ? day(decidedBy.effectiveEnd) : null)
  if (!decidedBy) return candidates[0]?.rule === 'NO_PRODUCT' ? t.noProductShort : t.neverBoughtShort
  if (decidedBy.rule === 'PAST_END' && decidedBy.effectiveEnd) return t.shortEnded(day(decidedBy.effectiveEnd))
  const purchase = candidates.find((one) => one.purchase.id === decidedBy.purchaseId)?.purchase
  return purchase ? status(purchase.status) : decidedBy.rule
}
