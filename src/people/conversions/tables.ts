import type { Kit } from '../../base/db/kit'

/** What a conversion altered in one currency. Sums are in millionths of a dollar, as digits. */
export interface CurrencyTally {
  changed: number
  /** How many of them had no amount in dollars before. */
  completed: number
  firstDay: number
  lastDay: number
  before: string
  after: string
}

export const conversionTables = (k: Kit) => ({
  /** One for each update of the exchange rates: what it altered in the stored transactions, and how far that is done. */
  rateConversions: k.table(
    'rate_conversions',
    {
      /** The id of the update. */
      id: k.str().primaryKey(),
      /** Later updates have higher ones. */
      position: k.int().notNull(),
      firstDay: k.int().notNull(),
      currencies: k.json<string[]>().notNull(),
      state: k.str().$type<'WAITING' | 'DONE'>().notNull(),
      /** The project and the transaction up to which it is done; empty at the start. */
      projectId: k.str().notNull(),
      occurredAt: k.int().notNull(),
      transactionId: k.str().notNull(),
      checked: k.int().notNull(),
      changed: k.int().notNull(),
      tallies: k.json<Record<string, CurrencyTally>>().notNull(),
      startedAt: k.int().notNull(),
      finishedAt: k.int(),
    },
    (t) => [k.index('rate_conversions_state').on(t.state, t.position)],
  ),
})

type ConversionTables = ReturnType<typeof conversionTables>

declare module '../../base/db/tables' {
  interface Tables extends ConversionTables {}
}
