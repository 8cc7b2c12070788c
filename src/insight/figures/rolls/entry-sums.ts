import { and, asc, count, eq, gt, lte, max, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import { prepared } from '../../../base/db/prepared'
import { VALUE_NAMES, type ValueName } from '../model'
import type { EntryRow } from '../queries'
import { GROUPS, type GroupBy } from '../sums'

/** Entries in the order of their positions. */
export interface EntrySpan {
  /** Behind this position. */
  after: number
  /** Up to this one. */
  until: number
}

/** How many entries a span has, `limit` at most, and the position of the last of these; null when there is none. */
export async function measureSpan(
  { db, tables: { figureEntries: f } }: Handle,
  { after, until }: EntrySpan,
  limit: number,
): Promise<{ count: number; last: number | null }> {
  const isIn = and(gt(f.position, after), lte(f.position, until))
  const some = db.select({ position: f.position }).from(f).where(isIn).orderBy(asc(f.position)).limit(limit).as('some')
  const [row] = await db.select({ count: count(), last: max(some.position) }).from(some)
  return { count: Number(row?.count ?? 0), last: row?.last == null ? null : Number(row.last) }
}

/** The sum of entries that are the same but for their values, within a minute. */
export type SummedEntry = Pick<EntryRow, 'projectId' | 'environment' | 'kind' | 'at' | GroupBy | ValueName>

/**
 * From here on every day of every time zone starts with a minute of UTC (the last clock that did not was Liberia's, until
 * January 1972).
 */
const WHOLE_MINUTES_SINCE = Date.UTC(1973, 0, 1)

/**
 * Sums of the entries of a span, of one project or of all. They are added where they are stored: to read a row takes ten
 * times as long.
 */
export async function sumSpan(
  handle: Handle,
  { after, until }: EntrySpan,
  projectId: string | null = null,
): Promise<SummedEntry[]> {
  const name = `figures.sumSpan ${projectId === null ? 'all' : 'one'}`
  const query = prepared(handle, name, ({ db, tables: { figureEntries: f } }) => {
    const minute = sql`case when ${f.at} < ${sql.raw(String(WHOLE_MINUTES_SINCE))} then ${f.at} else ${f.at} - ${f.at} % 60000 end`
    const isIn = and(gt(f.position, sql.placeholder('after')), lte(f.position, sql.placeholder('until')))
    const isOwn = projectId === null ? undefined : eq(f.projectId, sql.placeholder('projectId'))
    const groups = [f.projectId, f.environment, f.kind, ...GROUPS.map((one) => f[one])]
    return db
      .select({ at: minute.mapWith(Number), ...aboutColumns(f), ...valueSums(f) })
      .from(f)
      .where(and(isIn, isOwn))
      .groupBy(sql`1`, ...groups)
      .prepare()
  })
  return query.execute({ after, until, projectId })
}

type Entries = Handle['tables']['figureEntries']

const aboutColumns = ({ projectId, environment, kind, store, product, ...f }: Entries) => ({
  ...{ projectId, environment, kind, store, product, country: f.country, platform: f.platform },
  ...{ offering: f.offering, placement: f.placement, variant: f.variant, price: f.price },
})

const valueSums = (f: Entries) =>
  Object.fromEntries(VALUE_NAMES.map((name) => [name, sql`sum(${f[name]})`.mapWith(Number)])) as Record<
    ValueName,
    SQL<number>
  >
