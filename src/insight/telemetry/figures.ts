import { and, between, eq, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { SUBJECT_OF_KEY } from './pack-key'
import { findProjectNumber } from './pack-queries'

// Over many rows these take a while: callers that serve requests read with `storage.readInThread`. Days are UTC. A subscriber is active on a day with at least one event. Merges do not change what was counted: who was
// two subscribers on a day stays two for that day.

/** What the sessions of one day were. */
export interface SessionDay {
  /** Days since 1970. */
  day: number
  actives: number
  /** Sessions that were opened. */
  sessions: number
  /** Events with a duration, and the sum of their durations. */
  timed: number
  playMs: number
}

/** The days from `first` to `last` on which there was anything, in order. */
export async function sessionDays(
  handle: Handle,
  projectId: string,
  [first, last]: readonly [first: number, last: number],
): Promise<SessionDay[]> {
  const project = await findProjectNumber(handle, projectId)
  if (project === null) return []
  const { sessionPacks: p } = handle.tables
  const rows = await handle.db
    .select({
      day: p.day,
      actives: countSubjects(handle),
      sessions: asNumber(sql`sum(${p.opens})`),
      timed: asNumber(sql`sum(${p.timed})`),
      playMs: asNumber(sql`sum(${p.playMs})`),
    })
    .from(p)
    .where(and(eq(p.project, project), between(p.day, first, last)))
    .groupBy(p.day)
    .orderBy(p.day)
  return rows
}

/** How many subscribers had an event on at least one day from `first` to `last`. */
export async function activesBetween(
  handle: Handle,
  projectId: string,
  [first, last]: readonly [first: number, last: number],
): Promise<number> {
  const project = await findProjectNumber(handle, projectId)
  if (project === null) return 0
  const { sessionPacks: p } = handle.tables
  const [row] = await handle.db
    .select({ actives: countSubjects(handle) })
    .from(p)
    .where(and(eq(p.project, project), between(p.day, first, last)))
  return row?.actives ?? 0
}

export interface Actives {
  daily: number
  /** In the 7 and the 30 days that end with the day. */
  weekly: number
  monthly: number
}

/** The active subscribers of a day, and of the week and the month that end with it. */
export async function activesOf(handle: Handle, projectId: string, day: number): Promise<Actives> {
  const until = (days: number) => activesBetween(handle, projectId, [day - days + 1, day])
  const [daily, weekly, monthly] = await Promise.all([until(1), until(7), until(30)])
  return { daily, weekly, monthly }
}

const countSubjects = (handle: Handle): SQL<number> => asNumber(sql`count(distinct ${subjectOf(handle)})`)

/** The numbers are part of the text, so that both databases divide integers; ClickHouse does so by a function. */
export function subjectOf({ tables: { sessionPacks: p }, isClickhouse }: Handle): SQL<number> {
  const [divisor, modulus] = [SUBJECT_OF_KEY.divisor, SUBJECT_OF_KEY.modulus].map((number) => sql.raw(String(number)))
  return isClickhouse ? sql`intDiv(${p.key}, ${divisor}) % ${modulus}` : sql`(${p.key} / ${divisor}) % ${modulus}`
}

/** PostgreSQL gives sums and counts as text. */
const asNumber = (expression: SQL): SQL<number> => expression.mapWith(Number) as SQL<number>
