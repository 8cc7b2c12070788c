import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { ExportedPerson, OnExport } from '../subscribers/hooks'
import { listAliases } from './alias-queries'
import { listBySubscriber, type PurchaseRow, type TransactionRow } from './queries'
import { statusAt } from './status'
import { listSalesOf, toUnownedPurchase } from './unlisted-sales'
import { toPurchaseView, toTransactionView } from './wire'

/** For the data export of a person: the purchases with what the stores said about them, and every money line. */
export const exportPurchases: OnExport = (handle, project, person) => ({
  'purchases.jsonl': purchasesOf(handle, project, person),
  'transactions.jsonl': transactionsOf(handle, project, person),
})

async function* purchasesOf(handle: Handle, project: ProjectState, person: ExportedPerson) {
  for (const id of person.ids)
    for (const row of await listBySubscriber(handle, id)) {
      yield { ...toPurchase(project, row), otherStoreKeys: await listAliases(handle, row.id) }
      yield* storeReports(handle, row.id)
    }
  for (const sale of await listUnlisted(handle, project.id, person)) {
    const { customerId } = sale
    yield { ...toPurchase(project, toUnownedPurchase(sale)), record: 'unlistedSale', subscriberId: null, customerId }
    yield* storeReports(handle, sale.id)
  }
}

async function* storeReports(handle: Handle, purchaseId: string) {
  for (const { kind, eventAt, recordedAt, cause, payload } of await reportsOf(handle, purchaseId))
    yield {
      record: 'storeReport',
      purchaseId,
      kind,
      eventAt: toIso(eventAt),
      recordedAt: toIso(recordedAt),
      cause,
      payload,
    }
}

/** What the stores said about a purchase, in the order of their times. */
const reportsOf = ({ db, tables: { observations: o } }: Handle, purchaseId: string) =>
  db.select().from(o).where(eq(o.purchaseId, purchaseId)).orderBy(asc(o.eventAt), asc(o.recordedAt))

/** As it was at its last change; what a person may use now is in `subscriber.json`. */
const toPurchase = (project: ProjectState, row: PurchaseRow) => ({
  record: 'purchase',
  ...toPurchaseView(project, row, statusAt(row.fold, row.updatedAt)),
  storeKey: row.chainKey,
  accountToken: row.accountToken,
  grantedAccess: row.accessIds?.map((id) => project.catalog.access.get(id)?.identifier ?? id) ?? null,
  presentedContext: row.presentedContext,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

/** The sales of the payment provider without a product of the catalogue that name the person. */
async function listUnlisted({ db, tables }: Handle, projectId: string, { row, ids }: ExportedPerson) {
  const { paymentCustomers: c } = tables
  const isTheirs = and(eq(c.projectId, projectId), inArray(c.subscriberId, [...ids]))
  const customers = await db.select({ id: c.customerId }).from(c).where(isTheirs)
  const named = { subscriberIds: ids, deviceKeys: [row.deviceKey], customerIds: customers.map(({ id }) => id) }
  return listSalesOf({ db, tables }, projectId, named)
}

async function* transactionsOf({ db, tables }: Handle, project: ProjectState, person: ExportedPerson) {
  const { transactions: t } = tables
  const { ids } = person
  const sales = (await listUnlisted({ db, tables }, project.id, person)).map(({ id }) => id)
  const isTheirs = or(inArray(t.subscriberId, [...ids]), inArray(t.purchaseId, sales))
  const read = (after: TransactionRow | null, limit: number) =>
    db
      .select()
      .from(t)
      .where(and(isTheirs, after === null ? undefined : gt(t.id, after.id)))
      .orderBy(asc(t.id))
      .limit(limit)
  for await (const row of allRows(read))
    yield {
      ...toTransactionView(row),
      purchaseId: row.purchaseId,
      store: row.store,
      environment: row.environment,
      quantity: row.quantity,
      occurredAt: toIso(row.occurredAt),
      createdAt: toIso(row.createdAt),
    }
}
