import { and, count, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'
import type { SessionRow } from './queries'

/** The sessions of a funnel that started in a time. */
export interface Range {
  funnelId: string
  from: number | null
  /** Not included. */
  to: number | null
}

export const inRange = ({ funnelSessions: s }: Handle['tables'], { funnelId, from, to }: Range): SQL | undefined =>
  and(
    eq(s.funnelId, funnelId),
    from === null ? undefined : gte(s.startedAt, from),
    to === null ? undefined : lt(s.startedAt, to),
  )

/** A page of the sessions, newest first, and one more. */
export async function pageSessions(handle: Handle, range: Range, { beforeId, limit }: Page): Promise<SessionRow[]> {
  const { funnelSessions: s } = handle.tables
  const isBefore = beforeId === undefined ? undefined : lt(s.id, beforeId)
  const found = handle.db
    .select()
    .from(s)
    .where(and(inRange(handle.tables, range), isBefore))
  return found.orderBy(desc(s.id)).limit(limit)
}

export const GROUPINGS = ['version', 'variant', 'utm_source', 'utm_campaign', 'country', 'device', 'locale'] as const
export type Grouping = (typeof GROUPINGS)[number]

function groupKey({ funnelSessions: s }: Handle['tables'], by: Grouping): SQL<string | null> {
  switch (by) {
    case 'version':
      return sql<string | null>`cast(${s.versionNo} as text)`
    case 'variant':
      return sql<string | null>`${s.variantId}`
    case 'country':
      return sql<string | null>`${s.country}`
    case 'device':
      return sql<string | null>`${s.device}`
    case 'locale':
      return sql<string | null>`${s.locale}`
    default:
      return sql<string | null>`${s.utm} ->> ${sql.raw(`'${by}'`)}`
  }
}

const MOST_GROUPS = 100

/** Counts of sessions, by a property of theirs; without one a single row. */
export async function countSessions(handle: Handle, range: Range, by: Grouping | null) {
  const { funnelSessions: s } = handle.tables
  const key = by === null ? sql<string | null>`null` : groupKey(handle.tables, by)
  const columns = { key, sessions: count(), completed: count(s.completedAt), paid: count(s.paidAt) }
  const found = handle.db.select(columns).from(s).where(inRange(handle.tables, range)).$dynamic()
  if (by === null) return found
  return found.groupBy(key).orderBy(desc(count())).limit(MOST_GROUPS)
}

/** The sessions in which something was bought, with the property. */
export async function listPaid(handle: Handle, range: Range, by: Grouping | null) {
  const { funnelSessions: s } = handle.tables
  const key = by === null ? sql<string | null>`null` : groupKey(handle.tables, by)
  const isPaid = and(inRange(handle.tables, range), sql`${s.paidAt} is not null`)
  return handle.db.select({ id: s.id, key }).from(s).where(isPaid)
}

/** Views of each page, steps on from there, and the sessions that stopped there: neither paid nor at the end. */
export async function countSteps(handle: Handle, range: Range) {
  const { funnelSessions: s, funnelSteps: t } = handle.tables
  const isStopped = sql`${t.advancedAt} is null and ${s.paidAt} is null and ${s.completedAt} is null`
  const stops = sql<number>`count(case when ${isStopped} then 1 end)`.mapWith(Number)
  return handle.db
    .select({ pageId: t.pageId, views: count(), advances: count(t.advancedAt), stops })
    .from(t)
    .innerJoin(s, eq(s.id, t.sessionId))
    .where(inRange(handle.tables, range))
    .groupBy(t.pageId)
}

/** How many sessions took each path through the pages; the most frequent. */
export async function countPaths(handle: Handle, range: Range) {
  const { funnelSessions: s } = handle.tables
  const found = handle.db.select({ path: s.path, sessions: count() }).from(s).where(inRange(handle.tables, range))
  return found.groupBy(s.path).orderBy(desc(count())).limit(20_000)
}

/** The median of the milliseconds that visitors stayed on each page before the next one. */
export async function medianTimes(handle: Handle, range: Range): Promise<Map<string, number>> {
  const { funnelSessions: s, funnelSteps: t } = handle.tables
  const stayed = sql<number>`${t.advancedAt} - ${t.viewedAt}`
  const ranked = handle.db
    .select({
      pageId: t.pageId,
      stayed: stayed.as('stayed'),
      place: sql<number>`row_number() over (partition by ${t.pageId} order by ${stayed})`.as('place'),
      places: sql<number>`count(*) over (partition by ${t.pageId})`.as('places'),
    })
    .from(t)
    .innerJoin(s, eq(s.id, t.sessionId))
    .where(and(inRange(handle.tables, range), sql`${t.advancedAt} is not null`))
    .as('ranked')
  const isMiddle = sql`${ranked.place} in ((${ranked.places} + 1) / 2, (${ranked.places} + 2) / 2)`
  const rows = await handle.db
    .select({ pageId: ranked.pageId, median: sql<number>`avg(${ranked.stayed})`.mapWith(Number) })
    .from(ranked)
    .where(isMiddle)
    .groupBy(ranked.pageId)
  return new Map(rows.map(({ pageId, median }) => [pageId, median]))
}

/** How many sessions gave each answer; sensitive answers are in none. */
export async function countAnswers(handle: Handle, range: Range) {
  const { funnelSessions: s, funnelAnswers: a } = handle.tables
  const found = handle.db
    .select({ fieldId: a.fieldId, value: a.value, times: count() })
    .from(a)
    .innerJoin(s, eq(s.id, a.sessionId))
    .where(and(inRange(handle.tables, range), eq(a.isSealed, false)))
  return found.groupBy(a.fieldId, a.value).orderBy(desc(count())).limit(20_000)
}
