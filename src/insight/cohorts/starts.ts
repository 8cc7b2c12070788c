import { and, asc, type Column, desc, eq, gt, gte, is, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { Handle } from '../../base/db/handle'
import type { Span } from './definition'
import { type CohortDefinition, type CohortFilters, environmentOf, hasEvents, kindOfEvent } from './model'

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
  handle: Handle,
  { projectId, definition, span, range }: StartQuestion,
): Promise<Map<string, number>> {
  const { db, tables } = handle
  const { event } = definition
  const environment = environmentOf(definition)
  if (!hasEvents(event, environment)) return new Map()
  const { subscribers: s } = tables
  const startedAt = sql<number>`min(f.happened)`.mapWith(Number)
  const rows = await db
    .select({ id: s.id, startedAt })
    .from(sql`(${happenings(handle, definition, span, { projectId, ...range })}) as f`)
    .innerJoin(s, eq(s.id, sql`f.owner`))
    .where(
      and(
        isOwnSubscriber(handle, projectId),
        handle.isClickhouse ? isInRange(s.id, range) : undefined,
        sql`${s.mergedInto} is null`,
        sql`${s.erasedAt} is null`,
        passes(handle, projectId, definition),
      ),
    )
    .groupBy(s.id)
  return new Map(rows.map(({ id, startedAt }) => [id, startedAt]))
}

/**
 * Whether a row of `subscribers` is of the project. The expression keeps the databases from reading all subscribers of the
 * project to find a few of them. ClickHouse reads by project.
 */
export const isOwnSubscriber = ({ tables: { subscribers: s }, isClickhouse }: Handle, projectId: string): SQL =>
  isClickhouse ? eq(s.projectId, projectId) : eq(sql`${s.projectId} || ''`, projectId)

/**
 * ClickHouse reads the rows of a project. The other databases find the rows of people by these people; with the project,
 * they would read one and all of its rows instead.
 */
export const isOfProject = ({ isClickhouse }: Handle, column: Column, projectId: string): SQL | undefined =>
  isClickhouse ? eq(column, projectId) : undefined

/** Subscribers of a project whose ids lie in a range. */
export interface PeopleRange extends IdRange {
  projectId: string
}

/**
 * A statement with rows (owner, happened): the events of the people of a range, on their own row and on those merged
 * into it.
 */
export function happenings(
  handle: Handle,
  definition: CohortDefinition,
  { from, to }: Span,
  { projectId, ...range }: PeopleRange,
): SQL {
  const { event } = definition
  const kind = kindOfEvent(event)
  const { subscribers: m, events, clientEvents } = handle.tables
  if (kind === 'FIRST_SEEN') return firstVisits(handle, { from, to }, { projectId, ...range })
  const e = kind === 'FEED' ? events : clientEvents
  const isEnvironment = kind === 'FEED' ? eq(events.environment, environmentOf(definition)) : undefined
  const isOwn = isOfProject(handle, e.projectId, projectId)
  const isEvent = and(isOwn, eq(e.type, event), gte(e.occurredAt, from), lte(e.occurredAt, to), isEnvironment)
  const own = and(isNotNull(e.subscriberId), isInRange(sql`${e.subscriberId}`, range), isEvent)
  const merged = and(isMergedInto(handle, projectId, range), isEvent)
  return sql`select ${e.subscriberId} as owner, ${e.occurredAt} as happened from ${e} where ${own}
    union all select ${m.mergedInto}, ${e.occurredAt} from ${m} join ${e} on ${e.subscriberId} = ${m.id} where ${merged}`
}

/** The first visit of each person, on whichever row it was, if it lies in the span. */
function firstVisits(handle: Handle, { from, to }: Span, { projectId, ...range }: PeopleRange): SQL {
  const { subscribers: m } = handle.tables
  const merged = isMergedInto(handle, projectId, range)
  const own = and(isOfProject(handle, m.projectId, projectId), isInRange(m.id, range))
  const visits = sql`select ${m.id} as owner, ${m.firstSeenAt} as seen from ${m} where ${own}
    union all select ${m.mergedInto}, ${m.firstSeenAt} from ${m} where ${merged}`
  return sql`select v.owner as owner, min(v.seen) as happened from (${visits}) as v group by v.owner
    having min(v.seen) >= ${from} and min(v.seen) <= ${to}`
}

/** The rows that were merged into people of a range. */
function isMergedInto(handle: Handle, projectId: string, range: IdRange): SQL | undefined {
  const { subscribers: m } = handle.tables
  const isOwn = isOfProject(handle, m.projectId, projectId)
  return and(isOwn, isNotNull(m.mergedInto), isInRange(sql`${m.mergedInto}`, range))
}

/** The filters about the person. */
function passes(handle: Handle, projectId: string, definition: CohortDefinition): SQL | undefined {
  const { country, platform, attributes = {}, ...bought } = definition.filters ?? {}
  const named = {
    ...attributes,
    ...(country !== undefined && { country }),
    ...(platform !== undefined && { platform }),
  }
  return and(
    ...Object.entries(named).map(([name, value]) => sql`${attributeOf(handle, name)} = ${value}`),
    hasBought(handle, projectId, definition, bought),
  )
}

/** The value of an attribute, whose name has letters, digits, `_`, `.` and `-`; null for one that is not set. */
function attributeOf({ tables, isClickhouse }: Handle, name: string): SQL {
  const { attributes } = tables.subscribers
  if (isClickhouse) return sql`JSONExtract(${attributes}, ${name}, 'value', 'Nullable(String)')`
  return is(attributes, PgColumn)
    ? sql`(${attributes} -> cast(${name} as text) ->> 'value')`
    : sql`(${attributes} ->> ${`$."${name}".value`})`
}

function hasBought(
  handle: Handle,
  projectId: string,
  definition: CohortDefinition,
  { store, productId }: CohortFilters,
): SQL | undefined {
  if (store === undefined && productId === undefined) return undefined
  const { subscribers: s, purchases: p } = handle.tables
  const isPurchase = and(
    isOfProject(handle, p.projectId, projectId),
    eq(p.environment, environmentOf(definition)),
    store === undefined ? undefined : eq(p.store, store),
    productId === undefined ? undefined : eq(p.productId, productId),
  )
  if (handle.isClickhouse) return sql`${s.id} in (select ${p.subscriberId} from ${p} where ${isPurchase})`
  return sql`exists (select 1 from ${p} where ${and(eq(p.subscriberId, s.id), isPurchase)})`
}
