import { and, eq, inArray } from 'drizzle-orm'
import type { OnErase } from '../../people/subscribers/hooks'

/** At an erasure: forgets which customer of the payment provider a person is. */
export const eraseCustomers: OnErase = async (tx, { id }, _subscriber, { ids }) => {
  const { paymentCustomers: c } = tx.tables
  const isOwn = and(eq(c.projectId, id), inArray(c.subscriberId, [...ids]))
  const removed = await tx.db.delete(c).where(isOwn).returning({ id: c.subscriberId })
  return { payment_customers: { removed: removed.length } }
}
