import { isNotNull, sql } from 'drizzle-orm'
import type { Kit } from '../../base/db/kit'
import type { PurchaseStatus } from '../../core/purchase/status'
import type { Observation, PurchaseEnvironment, Store } from '../../stores/observation'
import type { PurchaseFold, TransactionKind } from './model'

/**
 * Purchases of the App Store with a key that is neither that of their original transaction nor starts with it. Before
 * copies were known, a one-time purchase had the id of its transaction as key. The expression of the store keeps SQLite
 * from taking an index of all purchases.
 */
export const HAS_FORMER_KEY = sql`store || '' = 'IOS_STORE' and chain_key <> original_transaction_id and substr(chain_key, length(original_transaction_id) + 1, 1) not in (':', '@')`

export const purchaseTables = (k: Kit) => ({
  purchases: k.table(
    'purchases',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      store: k.str().$type<Store>().notNull(),
      environment: k.str().$type<PurchaseEnvironment>().notNull(),
      /** Identifies the chain within store and project (wire 4.2). */
      chainKey: k.str().notNull(),
      /** Identifies the line within the chain; empty where a chain has one line, and until the store names the line. */
      lineKey: k.str().notNull().default(''),
      /** Keys of store items that this line replaced. Reports about them belong to it. */
      formerLineKeys: k.json<string[] | null>(),
      /**
       * Part of the keys of its money lines and currency grants: the line key of its first report. A row of a time before
       * lines keeps it empty, so that its charges keep their names.
       */
      chargeScope: k.str().notNull().default(''),
      /** Null while no product of the catalogue has its store product id. Then the purchase gives nothing. */
      productId: k.str(),
      /** The store product of `fold`. Null in a row of before this column that has a product. */
      storeProductId: k.ordered(),
      originalTransactionId: k.ordered().notNull(),
      /** Access ids of a grant without a product (store MANUAL). */
      accessIds: k.json<string[] | null>(),
      /** The account token in the store's signed data of this purchase. */
      accountToken: k.str(),
      /** Status at the last recorded events; reads apply the clock to `fold`. */
      status: k.str().$type<PurchaseStatus>().notNull(),
      fold: k.json<PurchaseFold>().notNull(),
      /** End of access; null = never ends. */
      effectiveEnd: k.int(),
      /** Next instant at which the clock alone changes the status; null = none. */
      sweepAt: k.int(),
      /** When the store is to be asked about it again; null = never. */
      recheckAt: k.int(),
      presentedContext: k.json<Record<string, unknown> | null>(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('purchases_chain').on(t.projectId, t.store, t.chainKey, t.lineKey),
      k.index('purchases_subscriber').on(t.subscriberId),
      k.index('purchases_status').on(t.projectId, t.status, t.id),
      // Who has bought in the sandbox: few in most projects, so that they are left out of counts of people cheaply.
      k
        .index('purchases_sandbox')
        .on(t.projectId, t.subscriberId)
        .where(sql`environment = 'SANDBOX' and store <> 'MANUAL'`),
      k.index('purchases_sweep').on(t.sweepAt).where(isNotNull(t.sweepAt)),
      k.index('purchases_recheck').on(t.projectId, t.store, t.environment, t.recheckAt).where(isNotNull(t.recheckAt)),
      // Without those that wait: SQLite would take all of them by this index, and sort them, instead of the next one by theirs.
      k.index('purchases_product').on(t.productId).where(isNotNull(t.productId)),
      // The sums of what waits for a product are read from this and `transactions_waiting` alone.
      k
        .index('purchases_waiting')
        .on(t.projectId, t.store, t.storeProductId, t.id, t.subscriberId, t.createdAt)
        .where(sql`product_id is null and access_ids is null`),
      k.index('purchases_original').on(t.projectId, t.store, t.originalTransactionId),
      k.index('purchases_former_key').on(t.projectId, t.originalTransactionId).where(HAS_FORMER_KEY),
      k.index('purchases_account').on(t.projectId, t.accountToken).where(isNotNull(t.accountToken)),
    ],
  ),

  /**
   * Further ids under which a purchase or a charge of it was seen: those of copies, and other keys of its chain. Without
   * the key in its row and the ids of its money lines.
   */
  purchaseAliases: k.table(
    'purchase_aliases',
    {
      projectId: k.str().notNull(),
      store: k.str().$type<Store>().notNull(),
      alias: k.ordered().notNull(),
      purchaseId: k.str().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.projectId, t.store, t.alias] }),
      k.index('purchase_aliases_purchase').on(t.purchaseId),
    ],
  ),

  /** Money lines that counted a charge a second time and were removed, each with the line that stayed. */
  joinedTransactions: k.table(
    'joined_transactions',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      transactionId: k.str().notNull(),
    },
    (t) => [
      k.index('joined_transactions_project').on(t.projectId),
      k.index('joined_transactions_transaction').on(t.transactionId),
    ],
  ),

  /**
   * Sales of the payment provider without any product of the catalogue: a row for each line. The row has the id that the
   * purchase gets when the catalogue gets the product. Its observations and money lines are stored under that id; the
   * money lines have no subscriber until then.
   */
  unlistedSales: k.table(
    'unlisted_sales',
    {
      id: k.ordered().primaryKey(),
      projectId: k.str().notNull(),
      store: k.str().$type<Store>().notNull(),
      environment: k.str().$type<PurchaseEnvironment>().notNull(),
      chainKey: k.str().notNull(),
      lineKey: k.str().notNull(),
      formerLineKeys: k.json<string[] | null>(),
      chargeScope: k.str().notNull(),
      /** The store product of `fold`; empty for what the provider sold without a price. */
      storeProductId: k.ordered().notNull(),
      fold: k.json<PurchaseFold>().notNull(),
      /** The provider's customer, and the subscriber and the device that the checkout was made for. */
      customerId: k.str(),
      buyerId: k.str(),
      deviceKey: k.str(),
      presentedContext: k.json<Record<string, unknown> | null>(),
      /** When its buyer was erased. It names no person since then, and never becomes a purchase. */
      erasedAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('unlisted_sales_chain').on(t.projectId, t.store, t.chainKey, t.lineKey),
      k.index('unlisted_sales_product').on(t.projectId, t.store, t.storeProductId, t.id),
      k.index('unlisted_sales_project').on(t.projectId, t.id),
      k.index('unlisted_sales_customer').on(t.projectId, t.customerId).where(isNotNull(t.customerId)),
      k.index('unlisted_sales_buyer').on(t.projectId, t.buyerId).where(isNotNull(t.buyerId)),
      k.index('unlisted_sales_device').on(t.projectId, t.deviceKey).where(isNotNull(t.deviceKey)),
    ],
  ),

  /** Who owned a purchase until it moved to another person, in the order of the moves. Append-only. */
  purchaseMoves: k.table(
    'purchase_moves',
    {
      position: k.serial(),
      projectId: k.str().notNull(),
      purchaseId: k.str().notNull(),
      fromId: k.str().notNull(),
    },
    (t) => [k.index('purchase_moves_project').on(t.projectId, t.position)],
  ),

  observations: k.table(
    'purchase_observations',
    {
      purchaseId: k.str().notNull(),
      kind: k.str().$type<Observation['kind']>().notNull(),
      /** The observation's own id: unique within purchase and kind. */
      id: k.str().notNull(),
      eventAt: k.int().notNull(),
      payload: k.json<Observation>().notNull(),
      cause: k.json<{ kind: string; ref: string | null }>().notNull(),
      recordedAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.purchaseId, t.kind, t.id] })],
  ),

  transactions: k.table(
    'transactions',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      purchaseId: k.str().notNull(),
      /** Empty for an unlisted sale. */
      subscriberId: k.str().notNull(),
      store: k.str().$type<Store>().notNull(),
      environment: k.str().$type<PurchaseEnvironment>().notNull(),
      /** `<store>:<transaction, order or invoice id>:<kind>`: one charge counts once. */
      revenueKey: k.ordered().notNull(),
      storeTransactionId: k.str().notNull(),
      kind: k.str().$type<TransactionKind>().notNull(),
      /** Null while no product of the catalogue has its store product id. */
      productId: k.str(),
      /** Null in a row of before this column. */
      storeProductId: k.ordered(),
      /** Signed micros; null when the store does not give the amount. */
      amountMicros: k.int(),
      currency: k.str(),
      /** Signed; by the exchange rate of the charge. Null when the amount or a rate is not known. */
      usdMicros: k.int(),
      quantity: k.int().notNull(),
      renewalNumber: k.int().notNull(),
      occurredAt: k.int().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.unique('transactions_revenue').on(t.projectId, t.revenueKey),
      k.index('transactions_purchase').on(t.purchaseId),
      k
        .index('transactions_waiting')
        .on(
          ...[t.projectId, t.store, t.storeProductId, t.purchaseId, t.subscriberId],
          ...[t.environment, t.usdMicros, t.createdAt],
        )
        .where(sql`product_id is null`),
      k.index('transactions_subscriber').on(t.subscriberId),
      k.index('transactions_time').on(t.projectId, t.occurredAt, t.id),
      // Amounts that are known, but not in dollars: they wait for an exchange rate.
      k
        .index('transactions_unconverted')
        .on(t.currency, t.projectId)
        .where(sql`usd_micros is null and currency is not null`),
    ],
  ),
})

type PurchaseTables = ReturnType<typeof purchaseTables>

declare module '../../base/db/tables' {
  interface Tables extends PurchaseTables {}
}
