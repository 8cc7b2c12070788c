import { isNotNull } from 'drizzle-orm'
import type { Kit } from '../../base/db/kit'

export type LedgerType = 'PURCHASE' | 'SPEND' | 'REFUND' | 'BONUS' | 'EXPIRE' | 'TRANSFER_IN' | 'TRANSFER_OUT'

export const currencyTables = (k: Kit) => ({
  /** Append-only: triggers in the database refuse UPDATE and DELETE. */
  ledger: k.table(
    'ledger',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      currencyId: k.str().notNull(),
      /** 1, 2, 3 ... within subscriber and currency. The row with the highest number holds the current balance. */
      number: k.int().notNull(),
      type: k.str().$type<LedgerType>().notNull(),
      amount: k.int64().notNull(),
      balance: k.int64().notNull(),
      idempotencyKey: k.str(),
      /** Unique per project and currency, so that a charge grants only once. */
      grantReference: k.str(),
      referenceType: k.str(),
      referenceId: k.str(),
      description: k.str(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.unique('ledger_number').on(t.subscriberId, t.currencyId, t.number),
      k.index('ledger_project').on(t.projectId, t.id),
      k.unique('ledger_grant').on(t.projectId, t.currencyId, t.grantReference),
      k
        .index('ledger_idempotency')
        .on(t.projectId, t.currencyId, t.idempotencyKey, t.subscriberId)
        .where(isNotNull(t.idempotencyKey)),
    ],
  ),

  /** The state of the last ledger row per subscriber and currency, so that a read needs only one row per currency. */
  balances: k.table(
    'balances',
    {
      subscriberId: k.str().notNull(),
      currencyId: k.str().notNull(),
      balance: k.int64().notNull(),
      number: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.subscriberId, t.currencyId] })],
  ),
})

type CurrencyTables = ReturnType<typeof currencyTables>

declare module '../../base/db/tables' {
  interface Tables extends CurrencyTables {}
}
