import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'

export type PaymentRow = Handle['tables']['funnelPayments']['$inferSelect']

/** The latest payment of a session, the paid one before all others. */
export async function findLatest(handle: Handle, sessionId: string): Promise<PaymentRow | null> {
  const query = prepared(handle, 'funnelPayments.ofSession', ({ db, tables: { funnelPayments: p } }) =>
    db
      .select()
      .from(p)
      .where(eq(p.sessionId, sql.placeholder('sessionId')))
      .orderBy(desc(p.createdAt), desc(p.id))
      .prepare(),
  )
  const rows = await query.execute({ sessionId })
  return rows.find(({ paidAt }) => paidAt !== null) ?? rows[0] ?? null
}

export async function findPayment({ db, tables }: Handle, id: string): Promise<PaymentRow | null> {
  const { funnelPayments: p } = tables
  const [row] = await db.select().from(p).where(eq(p.id, id))
  return row ?? null
}

/** The payment that an object of the provider belongs to. */
export async function findByReference(
  { db, tables }: Handle,
  projectId: string,
  reference: string,
): Promise<PaymentRow | null> {
  const { funnelPayments: p } = tables
  const isNamed = and(eq(p.projectId, projectId), eq(p.reference, reference))
  const [row] = await db.select().from(p).where(isNamed)
  return row ?? null
}

/** The payments of an address that were settled, newest first. */
export async function listSettled({ db, tables }: Handle, projectId: string, emailHash: string): Promise<PaymentRow[]> {
  const { funnelPayments: p } = tables
  const isTheirs = and(eq(p.projectId, projectId), eq(p.emailHash, emailHash), isNotNull(p.paidAt))
  return db.select().from(p).where(isTheirs).orderBy(desc(p.paidAt), desc(p.id)).limit(200)
}

export async function insertPayment({ db, tables }: Tx, row: PaymentRow): Promise<void> {
  await db.insert(tables.funnelPayments).values(row)
}

export async function updatePayment({ db, tables }: Tx, id: string, change: Partial<PaymentRow>): Promise<void> {
  await db.update(tables.funnelPayments).set(change).where(eq(tables.funnelPayments.id, id))
}

/** The paid payments of purchases that were taken back. */
export async function markRefunded({ db, tables }: Tx, purchaseIds: readonly string[], at: number): Promise<void> {
  const { funnelPayments: p } = tables
  const isPaid = and(inArray(p.purchaseId, [...purchaseIds]), eq(p.status, 'PAID'))
  await db.update(p).set({ status: 'REFUNDED', refundedAt: at }).where(isPaid)
}

/** The purchases that were joined with another one are named by that one. */
export async function renamePurchases(
  { db, tables }: Tx,
  mergedIds: readonly string[],
  survivorId: string,
): Promise<void> {
  const { funnelPayments: p } = tables
  await db
    .update(p)
    .set({ purchaseId: survivorId })
    .where(inArray(p.purchaseId, [...mergedIds]))
}

/** The lease of a session's payment. */
export interface Lease {
  leaseFence: number
  leaseHolder: string | null
  leaseUntil: number | null
}

export async function saveLease({ db, tables }: Tx, sessionId: string, lease: Partial<Lease>): Promise<void> {
  const { funnelSessions: s } = tables
  await db.update(s).set(lease).where(eq(s.id, sessionId))
}

/** Frees the lease, unless it was taken over since. */
export async function freeLease({ db, tables }: Tx, sessionId: string, fence: number): Promise<void> {
  const { funnelSessions: s } = tables
  const isOwn = and(eq(s.id, sessionId), eq(s.leaseFence, fence))
  await db.update(s).set({ leaseHolder: null, leaseUntil: null }).where(isOwn)
}

export async function listLeases({ db, tables }: Handle): Promise<{ id: string; fence: number; holder: string }[]> {
  const { funnelSessions: s } = tables
  const columns = { id: s.id, fence: s.leaseFence, holder: s.leaseHolder }
  const rows = await db.select(columns).from(s).where(isNotNull(s.leaseUntil))
  return rows.flatMap(({ holder, ...row }) => (holder === null ? [] : [{ ...row, holder }]))
}

/** The purchase that a payment has become. */
export async function findPurchaseOf(
  { db, tables }: Handle,
  projectId: string,
  chainKey: string,
): Promise<{ id: string; subscriberId: string } | null> {
  const { purchases: p } = tables
  const isOf = and(eq(p.projectId, projectId), eq(p.store, 'PAYMENT'), eq(p.chainKey, chainKey))
  const [row] = await db.select({ id: p.id, subscriberId: p.subscriberId }).from(p).where(isOf).orderBy(p.id).limit(1)
  return row ?? null
}
