import type { Kit } from '../../base/db/kit'

export const customerTables = (k: Kit) => ({
  /** The payment provider's customer of a subscriber. */
  paymentCustomers: k.table(
    'payment_customers',
    {
      projectId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      customerId: k.str().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.projectId, t.subscriberId] }),
      k.unique('payment_customers_customer').on(t.projectId, t.customerId),
    ],
  ),
})

type CustomerTables = ReturnType<typeof customerTables>

declare module '../../base/db/tables' {
  interface Tables extends CustomerTables {}
}
