import { and, asc, type Column, desc, eq, gt, gte, is, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { Handle } from '../../base/db/handle'
import type { Span } from './definition'
import { type CohortDefinition, type CohortFilters, environmentOf, hasEvents, kindOfEvent } from './model'

type Tables = Handle['tables']

/**
 * Subscribers whose ids come after one and up to another one. There is always an end: without it, SQLite would read the
 * whole table.
 */
export interface IdRange {
  after: string
  until: string
}

export const isInRange = (text: SQL | Column, { after, until }: IdRange): SQL | undefined =>
  and(sql`${text} > ${after}`, sql`${text} <= ${until}`)

/** The next subscribers of a project after an id, at most `size` of them; `isLast` when no others follow. */
export async function findRange(
  handle: Handle,
  projectId: string,
  after: string,
  size: number,
): Promise<{ range: IdRange; isLast: boolean }> {
  const end = await findId(handle, projectId, after, { order: asc, offset: size - 1 })
  const until = end ?? (await findId(handle, projectId, after, { order: desc, offset: 0 })) ?? after
  return { range: { after, until }, isLast: end === null }
}

async function findId(
  { db, tables }: Handle,
  projectId: string,
  after: string,
  { order, offset }: { order: typeof asc; offset: number },
): Promise<string | null> {
  const { subscribers: s } = tables
  const later = db.select({ id: s.id }).from(s)
  const [row] = await later
    .where(and(eq(s.projectId, projectId), gt(s.id, after)))
    .orderBy(order(s.id))
    .limit(1)
    .offset(offset)
  return row?.id ?? null
}

export interface StartQuestion {
  projectId: string
  definition: CohortDefinition
  span: Span
  range: IdRange
}

/**
 * The people of a range who have an event of the definition and pass its filters, with the instant of the first such
 * event. What happened on a row that was merged belongs to the row that is left.
 */
export async function findStarts(
  { db, tables }: Handle,
  { projectId, definition, span, range }: StartQuestion,
): Promise<Map<string, number>> {
  const { event } = definition
  const environment = environmentOf(definition)
  if (!hasEvents(event, environment)) return new Map()
  const { subscribers: s } = tables
  const startedAt = sql<number>`min(f.happened)`.mapWith(Number)
  const rows = await db
    .select({ id: s.id, startedAt })
    .from(sql`(${happenings(tables, definition, span, range)}) as f`)
    .innerJoin(s, eq(s.id, sql`f.owner`))
    .where(
      and(
        // The expression keeps the databases from reading all subscribers of the project to find those of the range.
        eq(sql`${s.projectId} || ''`, projectId),
        sql`${s.mergedInto} is null`,
        sql`${s.erasedAt} is null`,
        passes(tables, definition),
      ),
    )
    .groupBy(s.id)
  return new Map(rows.map(({ id, startedAt }) => [id, startedAt]))
}

/**
 * A statement with rows (owner, happened): the events of the people of a range, on their own row and on those merged
 * into it.
 */
export function happenings(tables: Tables, definition: CohortDefinition, { from, to }: Span, range: IdRange): SQL {
  const { event } = definition
  const kind = kindOfEvent(event)
  const { subscribers: m, events, clientEvents } = tables
  if (kind === 'FIRST_SEEN') return firstVisits(tables, { from, to }, range)
  const e = kind === 'FEED' ? events : clientEvents
  const isEnvironment = kind === 'FEED' ? eq(events.environment, environmentOf(definition)) : undefined
  // Without the project, whose events the databases would read one and all instead of those of these people.
  const isEvent = and(eq(e.type, event), gte(e.occurredAt, from), lte(e.occurredAt, to), isEnvironment)
  const own = and(isNotNull(e.subscriberId), isInRange(sql`${e.subscriberId}`, range), isEvent)
  const merged = and(isNotNull(m.mergedInto), isInRange(sql`${m.mergedInto}`, range), isEvent)
  return sql`select ${e.subscriberId} as owner, ${e.occurredAt} as happened from ${e} where ${own}
    union all select ${m.mergedInto}, ${e.occurredAt} from ${m} join ${e} on ${e.subscriberId} = ${m.id} where ${merged}`
}

/** The first visit of each person, on whichever row it was, if it lies in the span. */
function firstVisits({ subscribers: m }: Tables, { from, to }: Span, range: IdRange): SQL {
  const merged = and(isNotNull(m.mergedInto), isInRange(sql`${m.mergedInto}`, range))
  const visits = sql`select ${m.id} as owner, ${m.firstSeenAt} as seen from ${m} where ${isInRange(m.id, range)}
    union all select ${m.mergedInto}, ${m.firstSeenAt} from ${m} where ${merged}`
  return sql`select v.owner, min(v.seen) as happened from (${visits}) as v group by v.owner
    having min(v.seen) >= ${from} and min(v.seen) <= ${to}`
}

/** The filters about the person. */
function passes(tables: Tables, definition: CohortDefinition): SQL | undefined {
  const { country, platform, attributes = {}, ...bought } = definition.filters ?? {}
  const named = {
    ...attributes,
    ...(country !== undefined && { country }),
    ...(platform !== undefined && { platform }),
  }
  const { attributes: column } = tables.subscribers
  return and(
    ...Object.entries(named).map(([name, value]) => sql`${attributeOf(column, name)} = ${value}`),
    hasBought(tables, definition, bought),
  )
}

/** The value of an attribute, whose name has letters, digits, `_`, `.` and `-`; null for one that is not set. */
const attributeOf = (attributes: Column, name: string): SQL =>
  is(attributes, PgColumn)
    ? sql`(${attributes} -> cast(${name} as text) ->> 'value')`
    : sql`(${attributes} ->> ${`$."${name}".value`})`

function hasBought(
  { subscribers: s, purchases: p }: Tables,
  definition: CohortDefinition,
  { store, productId }: CohortFilters,
): SQL | undefined {
  if (store === undefined && productId === undefined) return undefined
  const isPurchase = and(
    eq(p.subscriberId, s.id),
    eq(p.environment, environmentOf(definition)),
    store === undefined ? undefined : eq(p.store, store),
    productId === undefined ? undefined : eq(p.productId, productId),
  )
  return sql`exists (select 1 from ${p} where ${isPurchase})`
}
