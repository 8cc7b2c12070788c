import type { Tx } from '../../base/context'
import type { RecordedPurchase } from '../../intake/recording/on-recorded'
import { type PriceTerm, priceTerms } from '../../people/purchases/price'
import { findStoreProduct } from '../../people/purchases/store-product'
import { dayOf } from '../../projects/exchange-rates/day'
import { RateTable } from '../../projects/exchange-rates/rate-table'
import type { Observation } from '../../stores/observation'
import { chargedOf } from './lines'
import { monthsOf } from './monthly'
import { chargedPrice, periodPrice } from './period-price'
import type { StandingRules } from './states'

/** What decides the standing of one of the purchases. */
export type RulesOf = (recorded: RecordedPurchase) => StandingRules

/** Reads the exchange rates, unless every reported price is in dollars. */
export async function rulesFor(tx: Tx, recorded: readonly RecordedPurchase[]): Promise<RulesOf> {
  const isNeeded = recorded.some(({ observations }) => observations.some(hasForeignPrice))
  const rates = isNeeded ? await tx.state.exchangeRates.current(tx) : RateTable.EMPTY
  return (one) => toRules(one, rates)
}

const hasForeignPrice = (one: Observation): boolean => {
  if (one.kind !== 'REPORT') return false
  const { recurring, next } = one.renewal ?? {}
  return [recurring?.price, next?.price].some((price) => price !== undefined && price.currency !== 'USD')
}

function toRules(
  { project: { catalog }, purchase, observations, saved }: RecordedPurchase,
  rates: RateTable,
): StandingRules {
  const { store, environment } = purchase
  // The dates of the iOS sandbox are those of a shortened period.
  const isShortened = store === 'IOS_STORE' && environment === 'SANDBOX'
  const charged = chargedOf(saved)
  const toUsd: StandingRules['toUsd'] = ({ amountMicros, currency }, at) =>
    rates.toUsd(amountMicros, currency, dayOf(at))
  return {
    charged,
    toUsd,
    priceOf: priceRule(observations, { charged, toUsd }),
    monthsOf({ period, storeProductId, occurredAt }, periodEnd) {
      const known = period ?? findStoreProduct(catalog, storeProductId, store)?.period ?? null
      return monthsOf(known, occurredAt, isShortened ? null : periodEnd)
    },
  }
}

/** Reads the terms of the purchase once, and only when its charges are not enough to know its price in dollars. */
function priceRule(
  observations: readonly Observation[],
  known: Pick<StandingRules, 'charged' | 'toUsd'>,
): StandingRules['priceOf'] {
  const isTold = observations.some((one) => one.kind === 'REPORT' && one.renewal?.next !== undefined)
  let terms: readonly PriceTerm[] | null = null
  return (charge, at) => {
    if (!isTold && charge.line.price?.currency === 'USD') return chargedPrice(charge)
    terms ??= priceTerms(observations)
    return periodPrice(terms, charge, at, known)
  }
}
