import { and, desc, eq, gte, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { ChartRow, ReadRows, RowPage } from './chart'
import { type Counts, type GroupPart, STEP } from './own-groups'

// These statements read many rows, so they run in `readInThread`.

/** What is asked of a session. Its payment counts in the environment of what was bought. */
export type SessionFact = 'started' | 'finished' | 'paid' | 'claimed'

/** By which a session is grouped: its funnel, or the source of its campaign. */
export type SessionGroup = 'funnel' | 'source'

const count = (condition: SQL | undefined) => sql<number | string>`sum(case when ${condition} then 1 else 0 end)`

/** Sessions that started in a window, and what became of them by now. */
export const readSessions =
  (by: SessionGroup) =>
  async (handle: Handle, scope: SumScope, window: Cell): Promise<GroupPart[]> => {
    const { funnelSessions: s, funnels: f } = handle.tables
    const rows = await handle.db
      .select({
        group: groupOf(handle, by),
        at: sql<number | string>`min(${s.startedAt})`,
        started: sql<number | string>`count(*)`,
        finished: count(factOf(handle, scope, 'finished')),
        paid: count(factOf(handle, scope, 'paid')),
        claimed: count(factOf(handle, scope, 'claimed')),
      })
      .from(s)
      .innerJoin(f, eq(f.id, s.funnelId))
      .where(begunIn(handle, scope, window))
      .groupBy(sql`1`, sql`${s.startedAt} / ${sql.raw(String(STEP))}`)
    return rows.map(({ group, at, ...counts }) => ({ group, at: Number(at), counts: numbersOf(counts) }))
  }

/** A row for each session of which the fact is true. */
export const sessionFactRows =
  (fact: SessionFact, by: SessionGroup): ReadRows =>
  async (handle, scope, cell, { after, limit }, group) => {
    const { funnelSessions: s, funnels: f } = handle.tables
    const isOwn = group === undefined ? undefined : sql`${groupOf(handle, by)} = ${group}`
    const rows = await handle.db
      .select({ id: s.id, subscriberId: s.subscriberId, at: s.startedAt })
      .from(s)
      .innerJoin(f, eq(f.id, s.funnelId))
      .where(and(begunIn(handle, scope, cell), isOwn, factOf(handle, scope, fact), isAfter(handle, after)))
      .orderBy(desc(s.startedAt), desc(s.id))
      .limit(limit)
    return rows.map((row) => toSessionRow(row, row.id))
  }

/** Views of each page by sessions that started in a window, and how many of them continued from there. */
export async function readSteps(handle: Handle, scope: SumScope, window: Cell): Promise<GroupPart[]> {
  const { funnelSessions: s, funnels: f, funnelSteps: t } = handle.tables
  const rows = await handle.db
    .select({
      group: stepOf(handle),
      at: sql<number | string>`min(${s.startedAt})`,
      seen: sql<number | string>`count(*)`,
      left: sql<number | string>`count(${t.advancedAt})`,
    })
    .from(s)
    .innerJoin(f, eq(f.id, s.funnelId))
    .innerJoin(t, eq(t.sessionId, s.id))
    .where(begunIn(handle, scope, window))
    .groupBy(sql`1`, sql`${s.startedAt} / ${sql.raw(String(STEP))}`)
  return rows.map(({ group, at, seen, left }) => ({
    group,
    at: Number(at),
    counts: numbersOf({ viewed: seen, advanced: left }),
  }))
}

/** A row for each session that saw a page, or that continued from it. */
export const stepRows =
  (fact: 'viewed' | 'advanced'): ReadRows =>
  async (handle, scope, cell, { after, limit }, group) => {
    const { funnelSessions: s, funnels: f, funnelSteps: t } = handle.tables
    const isOwn = group === undefined ? undefined : sql`${stepOf(handle)} = ${group}`
    const rows = await handle.db
      .select({ id: s.id, pageId: t.pageId, subscriberId: s.subscriberId, at: s.startedAt })
      .from(s)
      .innerJoin(f, eq(f.id, s.funnelId))
      .innerJoin(t, eq(t.sessionId, s.id))
      .where(
        and(
          begunIn(handle, scope, cell),
          isOwn,
          fact === 'advanced' ? isNotNull(t.advancedAt) : undefined,
          isAfterStep(handle, after),
        ),
      )
      .orderBy(desc(s.startedAt), desc(s.id), desc(t.pageId))
      .limit(limit)
    return rows.map((row) => toSessionRow(row, `${row.id}:${row.pageId}`))
  }

function begunIn({ tables: { funnelSessions: s } }: Handle, { projectId }: SumScope, { start, end }: Cell) {
  return and(eq(s.projectId, projectId), gte(s.startedAt, start), lt(s.startedAt, end))
}

function groupOf({ tables: { funnelSessions: s, funnels: f } }: Handle, by: SessionGroup): SQL<string> {
  return by === 'funnel' ? sql<string>`${f.slug}` : sql<string>`coalesce(${s.utm} ->> 'utm_source', '')`
}

const stepOf = ({ tables: { funnels: f, funnelSteps: t } }: Handle): SQL<string> =>
  sql<string>`${f.slug} || '/' || ${t.pageId}`

function factOf(handle: Handle, scope: SumScope, fact: SessionFact): SQL | undefined {
  const { funnelSessions: s } = handle.tables
  if (fact === 'started') return sql`1 = 1`
  if (fact === 'finished') return isNotNull(s.completedAt)
  return and(hasPaid(handle, scope), fact === 'claimed' ? eq(s.state, 'COMPLETED') : undefined)
}

/** Whether something was bought in the session, in the environment. */
function hasPaid({ tables: { funnelSessions: s, funnelPayments: p, purchases: b } }: Handle, scope: SumScope): SQL {
  const isBought = and(eq(p.sessionId, s.id), isNotNull(p.paidAt), eq(b.environment, scope.environment))
  return sql`exists (select 1 from ${p} inner join ${b} on ${eq(b.id, p.purchaseId)} where ${isBought})`
}

function isAfter({ tables: { funnelSessions: s } }: Handle, after: RowPage['after']): SQL | undefined {
  if (!after) return undefined
  return or(lt(s.startedAt, after.at), and(eq(s.startedAt, after.at), lt(s.id, after.tie)))
}

function isAfterStep(handle: Handle, after: RowPage['after']): SQL | undefined {
  if (!after) return undefined
  const { funnelSessions: s, funnelSteps: t } = handle.tables
  const [sessionId = '', pageId = ''] = after.tie.split(':')
  const isLater = and(eq(s.startedAt, after.at), eq(s.id, sessionId), lt(t.pageId, pageId))
  return or(isAfter(handle, { at: after.at, tie: sessionId }), isLater)
}

const numbersOf = (counts: Readonly<Record<string, number | string>>): Counts =>
  Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)]))

const toSessionRow = (
  { id, subscriberId, at }: { id: string; subscriberId: string | null; at: number },
  tie: string,
): ChartRow => ({
  ...{ purchaseId: null, transactionId: null, subscriberId, at, funnelSessionId: id },
  ...{ productIdentifier: null, store: null, contribution: 1, tie },
})
