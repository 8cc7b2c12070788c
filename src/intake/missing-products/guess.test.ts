import { expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import type { PurchaseFold } from '../../people/purchases/model'
import { guessOf } from './guess'

const AT = Date.UTC(2026, 10, 20)

/** A month of a subscription, as a store reports it that names no period. */
const month = (more: Partial<PurchaseFold> = {}) =>
  ({
    ...{ productType: 'SUBSCRIPTION', storeProductId: 'gold', isTrial: false, isIntroOffer: false, refundedAt: null },
    ...{ purchaseDate: AT, expiresAt: AT + 30 * DAY },
    ...more,
    // The other members tell nothing of the product.
  }) as PurchaseFold
const week = { expiresAt: AT + 7 * DAY }
const once = month({ productType: 'NON_CONSUMABLE', expiresAt: null })

const cases: [name: string, folds: PurchaseFold[], isBoughtAgain: boolean, type: string, period: string | null][] = [
  ['nothing known is a subscription', [], false, 'SUBSCRIPTION', null],
  ['the dates of a period name it', [month()], false, 'SUBSCRIPTION', 'P1M'],
  ['the period that the store names comes first', [month({ period: 'P3M' })], false, 'SUBSCRIPTION', 'P3M'],
  ['a period of nothing is none', [month({ period: 'P0D' })], false, 'SUBSCRIPTION', 'P1M'],
  ['a trial tells no period', [month({ ...week, isTrial: true })], false, 'SUBSCRIPTION', null],
  ['an offer tells no period', [month({ ...week, isIntroOffer: true })], false, 'SUBSCRIPTION', null],
  ['a refund tells no period', [month({ refundedAt: AT })], false, 'SUBSCRIPTION', null],
  ['the fast periods of a sandbox tell none', [month({ expiresAt: AT + 300_000 })], false, 'SUBSCRIPTION', null],
  ['the most frequent period counts', [month(week), month(), month()], false, 'SUBSCRIPTION', 'P1M'],
  ['another product of the purchase tells no period', [month({ storeProductId: 'b' })], false, 'SUBSCRIPTION', null],
  ['what one person has once is kept for ever', [once], false, 'NON_CONSUMABLE', null],
  ['what one person has twice is consumed', [once, once], true, 'CONSUMABLE', null],
  ['a subscription that was bought again stays one', [month(), month()], true, 'SUBSCRIPTION', 'P1M'],
]
for (const [name, folds, isBoughtAgain, type, period] of cases)
  test(name, () => expect<unknown>(guessOf('gold', folds, isBoughtAgain)).toEqual({ type, period }))
