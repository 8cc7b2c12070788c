import { and, eq, inArray } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { toIso } from '../../base/lib/time'
import { listSalesOf, type UnlistedSaleRow } from '../../people/purchases/unlisted-sales'
import { toTransactionView } from '../../people/purchases/wire'
import type { ExportedPerson, OnErase, OnExport } from '../../people/subscribers/hooks'

/** At an erasure: forgets which customer of the payment provider a person is. */
export const eraseCustomers: OnErase = async (tx, { id }, _subscriber, { ids }) => {
  const { paymentCustomers: c } = tx.tables
  const isOwn = and(eq(c.projectId, id), inArray(c.subscriberId, [...ids]))
  const removed = await tx.db.delete(c).where(isOwn).returning({ id: c.subscriberId })
  return { payment_customers: { removed: removed.length } }
}

/** For the data export of a person: which customer of the payment provider the person is, and their unlisted sales. */
export const exportCustomers: OnExport = (handle, { id: projectId }, person) => ({
  'subscriber.json': (async function* () {
    const paymentCustomerIds = await listCustomers(handle, projectId, person)
    if (paymentCustomerIds.length > 0) yield { paymentCustomerIds }
  })(),
  'purchases.jsonl': salesOf(handle, projectId, person),
  'transactions.jsonl': linesOf(handle, projectId, person),
})

async function listCustomers({ db, tables: { paymentCustomers: c } }: Handle, projectId: string, person: Ids) {
  const isTheirs = and(eq(c.projectId, projectId), inArray(c.subscriberId, [...person.ids]))
  const rows = await db.select({ customerId: c.customerId }).from(c).where(isTheirs)
  return rows.map(({ customerId }) => customerId)
}

type Ids = Pick<ExportedPerson, 'ids'>

/** The sales without a product of the catalogue that name the person. */
async function listSales(handle: Handle, projectId: string, person: ExportedPerson): Promise<UnlistedSaleRow[]> {
  const customerIds = await listCustomers(handle, projectId, person)
  return listSalesOf(handle, projectId, {
    subscriberIds: person.ids,
    deviceKeys: [person.row.deviceKey],
    customerIds,
  })
}

async function* salesOf(handle: Handle, projectId: string, person: ExportedPerson) {
  const { observations: o } = handle.tables
  for (const { fold: __, createdAt, updatedAt, buyerId, erasedAt: _, ...sale } of await listSales(
    handle,
    projectId,
    person,
  )) {
    yield {
      record: 'unlistedSale',
      ...sale,
      subscriberId: buyerId,
      createdAt: toIso(createdAt),
      updatedAt: toIso(updatedAt),
    }
    for (const { payload, eventAt } of await handle.db.select().from(o).where(eq(o.purchaseId, sale.id)))
      yield { record: 'storeReport', purchaseId: sale.id, kind: payload.kind, eventAt: toIso(eventAt), payload }
  }
}

async function* linesOf(handle: Handle, projectId: string, person: ExportedPerson) {
  const { transactions: t } = handle.tables
  for (const { id } of await listSales(handle, projectId, person))
    for (const row of await handle.db.select().from(t).where(eq(t.purchaseId, id)))
      yield { ...toTransactionView(row), purchaseId: id, store: row.store, occurredAt: toIso(row.occurredAt) }
}
