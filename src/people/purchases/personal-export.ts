import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { ExportedPerson, OnExport } from '../subscribers/hooks'
import { listAliases } from './alias-queries'
import type { ShownColumn, ShownTransactionColumn } from './columns'
import { listBySubscriber, type PurchaseRow, type TransactionRow } from './queries'
import { statusAt } from './status'
import { toPurchaseView, toTransactionView } from './wire'

/** For the data export of a person: the purchases with what the stores said about them, and every money line. */
export const exportPurchases: OnExport = (handle, project, person) => ({
  'purchases.jsonl': purchasesOf(handle, project, person),
  'transactions.jsonl': transactionsOf(handle, person),
})

async function* purchasesOf(handle: Handle, project: ProjectState, { ids }: ExportedPerson) {
  for (const id of ids)
    for (const row of await listBySubscriber(handle, id)) {
      yield { ...toPurchase(project, row), otherStoreKeys: await listAliases(handle, row.id) }
      for (const { kind, eventAt, recordedAt, cause, payload } of await reportsOf(handle, row.id))
        yield {
          record: 'storeReport',
          purchaseId: row.id,
          kind,
          eventAt: toIso(eventAt),
          recordedAt: toIso(recordedAt),
          cause,
          payload,
        }
    }
}

/** What the stores said about a purchase, in the order of their times. */
const reportsOf = ({ db, tables: { observations: o } }: Handle, purchaseId: string) =>
  db.select().from(o).where(eq(o.purchaseId, purchaseId)).orderBy(asc(o.eventAt), asc(o.recordedAt))

/** As it was at its last change; what a person may use now is in `subscriber.json`. */
const toPurchase = (project: ProjectState, row: Pick<PurchaseRow, ShownColumn>) => ({
  record: 'purchase',
  ...toPurchaseView(project, row, statusAt(row.fold, row.updatedAt)),
  storeKey: row.chainKey,
  accountToken: row.accountToken,
  grantedAccess: row.accessIds?.map((id) => project.catalog.access.get(id)?.identifier ?? id) ?? null,
  presentedContext: row.presentedContext,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

async function* transactionsOf({ db, tables }: Handle, { ids }: ExportedPerson) {
  const { transactions: t } = tables
  const read = (after: TransactionRow | null, limit: number) =>
    db
      .select()
      .from(t)
      .where(and(inArray(t.subscriberId, [...ids]), after === null ? undefined : gt(t.id, after.id)))
      .orderBy(asc(t.id))
      .limit(limit)
  for await (const row of allRows(read)) yield toTransaction(row)
}

const toTransaction = (row: Pick<TransactionRow, ShownTransactionColumn>) => ({
  ...toTransactionView(row),
  purchaseId: row.purchaseId,
  store: row.store,
  environment: row.environment,
  quantity: row.quantity,
  occurredAt: toIso(row.occurredAt),
  createdAt: toIso(row.createdAt),
})
