import type { Tx } from '../../base/context'
import type { RecordedPurchase } from '../../intake/recording/on-recorded'
import { findStoreProduct } from '../../people/purchases/store-product'
import { dayOf } from '../../projects/exchange-rates/day'
import { RateTable } from '../../projects/exchange-rates/rate-table'
import type { Observation } from '../../stores/observation'
import { chargedOf } from './lines'
import { monthsOf } from './monthly'
import type { StandingRules } from './states'

/** What decides the standing of one of the purchases. */
export type RulesOf = (recorded: RecordedPurchase) => StandingRules

/** Reads the exchange rates, unless every reported price is in dollars. */
export async function rulesFor(tx: Tx, recorded: readonly RecordedPurchase[]): Promise<RulesOf> {
  const isNeeded = recorded.some(({ observations }) => observations.some(hasForeignPrice))
  const rates = isNeeded ? await tx.state.exchangeRates.current(tx) : RateTable.EMPTY
  return (one) => toRules(one, rates)
}

const hasForeignPrice = (one: Observation): boolean =>
  one.kind === 'REPORT' && !!one.renewal?.recurring && one.renewal.recurring.price.currency !== 'USD'

function toRules({ project: { catalog }, purchase, saved }: RecordedPurchase, rates: RateTable): StandingRules {
  const { store, environment } = purchase
  // The dates of the iOS sandbox are those of a shortened period.
  const isShortened = store === 'IOS_STORE' && environment === 'SANDBOX'
  return {
    charged: chargedOf(saved),
    toUsd: ({ amountMicros, currency }, at) => rates.toUsd(amountMicros, currency, dayOf(at)),
    monthsOf({ period, storeProductId, occurredAt }, periodEnd) {
      const known = period ?? findStoreProduct(catalog, storeProductId, store)?.period ?? null
      return monthsOf(known, occurredAt, isShortened ? null : periodEnd)
    },
  }
}
