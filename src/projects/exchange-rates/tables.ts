import type { Kit } from '../../base/db/kit'
import type { RateSource } from './rate-table'

/** A rate that was saved before and is another one now, as it was and as it is stored. */
export interface CorrectedRate {
  date: string
  currency: string
  before: string
  after: string
}

export const exchangeRateTables = (k: Kit) => ({
  exchangeRates: k.table(
    'exchange_rates',
    {
      source: k.str().$type<RateSource>().notNull(),
      /** Days since 1970-01-01 in UTC. */
      day: k.int().notNull(),
      /** JSON, kept as text: see `StoredDay`. */
      rates: k.str().notNull(),
      /** Position of the update that last changed the day. */
      revision: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.source, t.day] }), k.index('exchange_rates_revision').on(t.revision)],
  ),
  /** Every saving of rates that were not known before. */
  rateUpdates: k.table(
    'rate_updates',
    {
      position: k.serial(),
      id: k.str().notNull(),
      source: k.str().$type<RateSource>().notNull(),
      at: k.int().notNull(),
      added: k.int().notNull(),
      corrected: k.int().notNull(),
      firstDay: k.int().notNull(),
      lastDay: k.int().notNull(),
      currencies: k.json<string[]>().notNull(),
      /** The first 500 of what was corrected. */
      corrections: k.json<CorrectedRate[]>().notNull(),
    },
    (t) => [k.unique('rate_updates_id').on(t.id)],
  ),
  /** The last calls to where rates are published. */
  rateFetches: k.table('rate_fetches', {
    source: k.str().$type<RateSource>().primaryKey(),
    triedAt: k.int().notNull(),
    succeededAt: k.int(),
    /** Why the last call brought nothing; null when it did. */
    fault: k.str(),
  }),
})

type ExchangeRateTables = ReturnType<typeof exchangeRateTables>

declare module '../../base/db/tables' {
  interface Tables extends ExchangeRateTables {}
}
