import { and, desc, eq, gte, isNotNull, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { ReadRows } from './chart'
import { type GroupPart, STEP } from './own-groups'

// These statements read many rows, so they run in `readInThread`.

const RETURNS = ['REFUND', 'CHARGEBACK', 'REFUND_REVERSAL'] as const

export type FunnelMoney = 'gross' | 'refunds' | 'net'

/** Money lines of a window of purchases that were made in a funnel, in USD micros, by funnel and day of the line. */
export async function readFunnelMoney(handle: Handle, scope: SumScope, window: Cell): Promise<GroupPart[]> {
  const { transactions: t, funnelPayments: p, funnelSessions: s, funnels: f } = handle.tables
  const { isCharge, micros } = partsOf(handle)
  const rows = await handle.db
    .select({
      group: f.slug,
      at: sql<number | string>`min(${t.occurredAt})`,
      gross: sql<number | string>`sum(case when ${isCharge} then ${micros} else 0 end)`,
      refunds: sql<number | string>`sum(case when ${isCharge} then 0 else -${micros} end)`,
      unconverted: sql<number | string>`sum(case when ${isUnconverted(handle)} then 1 else 0 end)`,
    })
    .from(t)
    .innerJoin(p, eq(p.purchaseId, t.purchaseId))
    .innerJoin(s, eq(s.id, p.sessionId))
    .innerJoin(f, eq(f.id, s.funnelId))
    .where(linesIn(handle, scope, window))
    .groupBy(sql`1`, sql`${t.occurredAt} / ${sql.raw(String(STEP))}`)
  return rows.map(({ group, at, gross, refunds, unconverted }) => ({
    group,
    at: Number(at),
    counts: { gross: Number(gross), refunds: Number(refunds), unconverted: Number(unconverted) },
  }))
}

/** A row for each line that changes the value. */
export const funnelMoneyRows =
  (value: FunnelMoney): ReadRows =>
  async (handle, scope, cell, { after, limit }, group) => {
    const { transactions: t, funnelPayments: p, funnelSessions: s, funnels: f, products: r } = handle.tables
    const { isCharge } = partsOf(handle)
    const isAfter = after && or(lt(t.occurredAt, after.at), and(eq(t.occurredAt, after.at), lt(t.id, after.tie)))
    const isOfValue = value === 'net' ? undefined : value === 'gross' ? isCharge : sql`not (${isCharge})`
    const isOwn = group === undefined ? undefined : eq(f.slug, group)
    const rows = await handle.db
      .select({
        ...{ id: t.id, purchaseId: t.purchaseId, subscriberId: t.subscriberId, at: t.occurredAt, store: t.store },
        ...{ micros: t.usdMicros, productIdentifier: r.identifier, funnelSessionId: p.sessionId },
      })
      .from(t)
      .innerJoin(p, eq(p.purchaseId, t.purchaseId))
      .innerJoin(s, eq(s.id, p.sessionId))
      .innerJoin(f, eq(f.id, s.funnelId))
      .leftJoin(r, eq(r.id, t.productId))
      .where(
        and(
          linesIn(handle, scope, cell),
          isNotNull(t.usdMicros),
          sql`${t.usdMicros} <> 0`,
          isOfValue,
          isOwn,
          isAfter ?? undefined,
        ),
      )
      .orderBy(desc(t.occurredAt), desc(t.id))
      .limit(limit)
    return rows.map(({ id, micros, ...row }) => ({
      ...row,
      transactionId: id,
      contribution: value === 'refunds' ? -(micros ?? 0) : (micros ?? 0),
      tie: id,
    }))
  }

/** Money of sessions that started in a window, until now, and how many started. */
export async function readSessionMoney(handle: Handle, scope: SumScope, window: Cell): Promise<GroupPart[]> {
  const { funnelSessions: s, funnels: f, transactions: t } = handle.tables
  const rows = await handle.db
    .select({
      group: f.slug,
      at: sql<number | string>`min(${s.startedAt})`,
      sessions: sql<number | string>`count(*)`,
      micros: sql<number | string>`sum(${sumOf(handle, scope, sql`coalesce(sum(${t.usdMicros}), 0)`)})`,
      unconverted: sql<
        number | string
      >`sum(${sumOf(handle, scope, sql`count(case when ${isUnconverted(handle)} then 1 end)`)})`,
    })
    .from(s)
    .innerJoin(f, eq(f.id, s.funnelId))
    .where(and(eq(s.projectId, scope.projectId), gte(s.startedAt, window.start), lt(s.startedAt, window.end)))
    .groupBy(sql`1`, sql`${s.startedAt} / ${sql.raw(String(STEP))}`)
  return rows.map(({ group, at, sessions, micros, unconverted }) => ({
    group,
    at: Number(at),
    counts: { sessions: Number(sessions), micros: Number(micros), unconverted: Number(unconverted) },
  }))
}

/** An aggregate of the money lines of what was bought in a session. */
function sumOf(handle: Handle, scope: SumScope, aggregate: SQL): SQL {
  const { funnelSessions: s, funnelPayments: p, transactions: t } = handle.tables
  const isOwn = and(eq(p.sessionId, s.id), isNotNull(p.paidAt), eq(t.environment, scope.environment))
  return sql`(select ${aggregate} from ${p} inner join ${t} on ${eq(t.purchaseId, p.purchaseId)} where ${isOwn})`
}

const isUnconverted = ({ tables: { transactions: t } }: Handle): SQL => sql`${t.usdMicros} is null`

function partsOf({ tables: { transactions: t } }: Handle) {
  return { isCharge: sql`${notInArray(t.kind, [...RETURNS])}`, micros: sql`coalesce(${t.usdMicros}, 0)` }
}

function linesIn({ tables: { transactions: t, funnelPayments: p } }: Handle, scope: SumScope, { start, end }: Cell) {
  return and(
    eq(t.projectId, scope.projectId),
    eq(t.environment, scope.environment),
    gte(t.occurredAt, start),
    lt(t.occurredAt, end),
    eq(p.projectId, scope.projectId),
    isNotNull(p.paidAt),
  )
}
