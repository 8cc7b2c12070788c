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
      /** 1, 2, 3 ... within subscriber and currency: the row that decides the balance is never in doubt. */
      number: k.int().notNull(),
      type: k.str().$type<LedgerType>().notNull(),
      amount: k.int().notNull(),
      balance: k.int().notNull(),
      idempotencyKey: k.str(),
      /** Unique per project and currency: one charge grants once. */
      grantReference: k.str(),
      referenceType: k.str(),
      referenceId: k.str(),
      description: k.str(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.unique('ledger_number').on(t.subscriberId, t.currencyId, t.number),
      k.unique('ledger_grant').on(t.projectId, t.currencyId, t.grantReference),
      k
        .index('ledger_idempotency')
        .on(t.projectId, t.currencyId, t.idempotencyKey, t.subscriberId)
        .where(isNotNull(t.idempotencyKey)),
    ],
  ),

  /** The last ledger row of each subscriber and currency, so that a read costs one row per currency. */
  balances: k.table(
    'balances',
    {
      subscriberId: k.str().notNull(),
      currencyId: k.str().notNull(),
      balance: k.int().notNull(),
      number: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.subscriberId, t.currencyId] })],
  ),
})

type CurrencyTables = ReturnType<typeof currencyTables>

declare module '../../base/db/tables' {
  interface Tables extends CurrencyTables {}
}
