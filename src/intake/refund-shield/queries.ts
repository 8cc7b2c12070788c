import { and, count, desc, eq, inArray, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { RefundOutcome } from './outcome'
import type { RefundShieldStatus } from './plan'

export type ResponseRow = Handle['tables']['refundShieldResponses']['$inferSelect']

/** Insert-or-ignore on (project, notification): false when the request was recorded before. */
export async function insertResponse({ db, tables }: Handle, row: ResponseRow): Promise<boolean> {
  const { refundShieldResponses: r } = tables
  const inserted = await db.insert(r).values(row).onConflictDoNothing().returning({ id: r.id })
  return inserted.length > 0
}

export async function findResponse({ db, tables }: Handle, id: string): Promise<ResponseRow | null> {
  const { refundShieldResponses: r } = tables
  const [row] = await db.select().from(r).where(eq(r.id, id))
  return row ?? null
}

/** Every request about one store transaction. */
export async function listByTransaction(
  { db, tables }: Handle,
  projectId: string,
  transactionId: string,
): Promise<ResponseRow[]> {
  const { refundShieldResponses: r } = tables
  return db
    .select()
    .from(r)
    .where(and(eq(r.projectId, projectId), eq(r.transactionId, transactionId)))
}

/**
 * Changes a pending row if no other attempt has started since it was read; else returns false. Every attempt raises
 * `attempts` before it starts, so the number identifies the current attempt.
 */
export async function updatePending(
  { db, tables }: Handle,
  { id, attempts }: Pick<ResponseRow, 'id' | 'attempts'>,
  change: Partial<ResponseRow>,
): Promise<boolean> {
  const { refundShieldResponses: r } = tables
  const isMine = and(eq(r.id, id), eq(r.status, 'PENDING'), eq(r.attempts, attempts))
  const changed = await db.update(r).set(change).where(isMine).returning({ id: r.id })
  return changed.length > 0
}

export async function updateOutcome(
  { db, tables }: Handle,
  id: string,
  change: Pick<ResponseRow, 'outcome' | 'outcomeAt' | 'updatedAt'>,
): Promise<void> {
  const { refundShieldResponses: r } = tables
  await db.update(r).set(change).where(eq(r.id, id))
}

interface PageAfter {
  status: RefundShieldStatus | undefined
  outcome: RefundOutcome | undefined
  /** The last row of the page before; null = the first page. */
  after: Pick<ResponseRow, 'createdAt' | 'id'> | null
  limit: number
}

/** One page of a project's requests, newest first. */
export async function listResponsesAfter(
  { db, tables }: Handle,
  projectId: string,
  { status, outcome, after, limit }: PageAfter,
): Promise<ResponseRow[]> {
  const { refundShieldResponses: r } = tables
  const isAfter =
    after === null
      ? undefined
      : and(
          lte(r.createdAt, after.createdAt),
          or(lt(r.createdAt, after.createdAt), and(eq(r.createdAt, after.createdAt), lt(r.id, after.id))),
        )
  const isChosen = and(
    status === undefined ? undefined : eq(r.status, status),
    outcome === undefined ? undefined : eq(r.outcome, outcome),
  )
  return db
    .select()
    .from(r)
    .where(and(eq(r.projectId, projectId), isChosen, isAfter))
    .orderBy(desc(r.createdAt), desc(r.id))
    .limit(limit)
}

/** The number of requests with each status and outcome. */
export async function countResponses({ db, tables }: Handle, projectId: string) {
  const { refundShieldResponses: r } = tables
  const columns = { status: r.status, outcome: r.outcome, count: count() }
  return db.select(columns).from(r).where(eq(r.projectId, projectId)).groupBy(r.status, r.outcome)
}

/**
 * Micros of the US dollar: the sum of the charges that were answered, whose refund was declined and not approved later.
 * Each charge counts once.
 */
export async function sumSaved({ db, tables }: Handle, projectId: string): Promise<number> {
  const { refundShieldResponses: r, transactions: t } = tables
  const isOurs = eq(r.projectId, projectId)
  const lost = db
    .select({ id: r.transactionId })
    .from(r)
    .where(and(isOurs, eq(r.outcome, 'REFUND_APPROVED')))
  const declined = and(isOurs, eq(r.status, 'SENT'), eq(r.outcome, 'REFUND_DECLINED'))
  const kept = db
    .select({ key: sql`'IOS_STORE:' || ${r.transactionId} || ':CHARGE'` })
    .from(r)
    .where(and(declined, notInArray(r.transactionId, lost)))
  const [row] = await db
    .select({ total: sql<string | number | null>`sum(${t.usdMicros})` })
    .from(t)
    .where(and(eq(t.projectId, projectId), eq(t.environment, 'PRODUCTION'), inArray(t.revenueKey, kept)))
  return Number(row?.total ?? 0)
}
