import { and, desc, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type CustomerRow = Handle['tables']['paymentCustomers']['$inferSelect']

export async function findCustomer(
  { db, tables }: Handle,
  projectId: string,
  subscriberId: string,
): Promise<CustomerRow | null> {
  const { paymentCustomers: c } = tables
  const isOwn = and(eq(c.projectId, projectId), eq(c.subscriberId, subscriberId))
  const [row] = await db.select().from(c).where(isOwn)
  return row ?? null
}

/** The newest customer of those who were merged into a subscriber. */
export async function findMergedCustomer(
  { db, tables }: Handle,
  projectId: string,
  survivorId: string,
): Promise<CustomerRow | null> {
  const { paymentCustomers: c, subscribers: s } = tables
  const isMerged = and(eq(s.mergedInto, survivorId), eq(c.projectId, projectId))
  const rows = db.select({ customer: c }).from(s).innerJoin(c, eq(c.subscriberId, s.id)).where(isMerged)
  const [row] = await rows.orderBy(desc(c.createdAt), desc(c.customerId)).limit(1)
  return row?.customer ?? null
}

export async function findByCustomer(
  { db, tables }: Handle,
  projectId: string,
  customerId: string,
): Promise<CustomerRow | null> {
  const { paymentCustomers: c } = tables
  const isCustomer = and(eq(c.projectId, projectId), eq(c.customerId, customerId))
  const [row] = await db.select().from(c).where(isCustomer)
  return row ?? null
}

/** Insert-or-ignore: writes nothing when the subscriber or the customer has a mapping. */
export async function insertCustomer({ db, tables }: Handle, row: CustomerRow): Promise<void> {
  await db.insert(tables.paymentCustomers).values(row).onConflictDoNothing()
}

/** Sets the subscriber's customer. Replaces one that no longer exists at the provider. */
export async function upsertCustomer({ db, tables }: Handle, row: CustomerRow): Promise<void> {
  const { paymentCustomers: c } = tables
  const { customerId, createdAt } = row
  const target = [c.projectId, c.subscriberId]
  await db.insert(c).values(row).onConflictDoUpdate({ target, set: { customerId, createdAt } })
}
