import { and, count, eq, gt, gte, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedChange, preparedRows } from '../../base/db/prepared'
import { packKey } from './pack-key'
import { countPacked } from './pack-text'

export type PackRow = Handle['tables']['sessionPacks']['$inferSelect']
export type SubjectRow = Handle['tables']['sessionSubjects']['$inferSelect']

const LAST_MINUTE = 24 * 60 - 1

/** The number of a project; null when nothing of it was saved yet. */
export async function findProjectNumber(handle: Handle, projectId: string): Promise<number | null> {
  const query = prepared(handle, 'sessions.project', ({ db, tables: { sessionProjects: p } }) =>
    db
      .select({ number: p.number })
      .from(p)
      .where(eq(p.projectId, sql.placeholder('projectId')))
      .prepare(),
  )
  const [row] = await query.execute({ projectId })
  return row?.number ?? null
}

export async function insertProject({ db, tables }: Handle, projectId: string): Promise<void> {
  await db.insert(tables.sessionProjects).values({ projectId }).onConflictDoNothing()
}

export async function findSubject(handle: Handle, subscriberId: string): Promise<SubjectRow | null> {
  const query = prepared(handle, 'sessions.subject', ({ db, tables: { sessionSubjects: s } }) =>
    db
      .select()
      .from(s)
      .where(eq(s.subscriberId, sql.placeholder('subscriberId')))
      .prepare(),
  )
  const [row] = await query.execute({ subscriberId })
  return row ?? null
}

export async function listSubjects({ db, tables }: Handle, subscriberIds: readonly string[]): Promise<SubjectRow[]> {
  const { sessionSubjects: s } = tables
  if (subscriberIds.length === 0) return []
  return db
    .select()
    .from(s)
    .where(inArray(s.subscriberId, [...subscriberIds]))
}

export async function insertSubject(handle: Handle, row: Omit<SubjectRow, 'number'>): Promise<SubjectRow | null> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables: { sessionSubjects: s } }: Handle) =>
    db.insert(s).values(values()).onConflictDoNothing().returning().prepare()
  const [made] = await prepared(handle, `sessions.insertSubject ${shape}`, build).execute(params)
  return made ?? null
}

export async function updateSubject(
  handle: Handle,
  number: number,
  change: Pick<SubjectRow, 'opens' | 'playMs' | 'firstDay' | 'lastDay'>,
): Promise<void> {
  const { shape, params, set } = preparedChange(change)
  const build = ({ db, tables: { sessionSubjects: s } }: Handle) =>
    db
      .update(s)
      .set(set())
      .where(eq(s.number, sql.placeholder('number')))
      .prepare()
  await prepared(handle, `sessions.updateSubject ${shape}`, build).execute({ ...params, number })
}

/** The packs of a day into which events between two minutes fall, in the order of their minutes. */
export async function listPacks(
  handle: Handle,
  { day, subject }: { day: number; subject: number },
  [first, last]: readonly [first: number, last: number],
): Promise<PackRow[]> {
  const query = prepared(handle, 'sessions.packs', ({ db, tables: { sessionPacks: p } }) => {
    const { from, first, last } = placeholders
    const begin = sql`coalesce((select max(${p.key}) from ${p} where ${and(gte(p.key, from), lte(p.key, first))}), ${from})`
    return db
      .select()
      .from(p)
      .where(and(gte(p.key, begin), lte(p.key, last)))
      .orderBy(p.key)
      .prepare()
  })
  const key = (minute: number) => packKey(day, subject, minute)
  return query.execute({ from: key(0), first: key(first), last: key(last) })
}

const placeholders = {
  from: sql.placeholder('from'),
  first: sql.placeholder('first'),
  last: sql.placeholder('last'),
}

const isOfDay = ({ sessionPacks: p }: Handle['tables'], day: number, subject: number) =>
  and(gte(p.key, packKey(day, subject, 0)), lte(p.key, packKey(day, subject, LAST_MINUTE)))

export async function countPacks({ db, tables }: Handle, day: number, subject: number): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(tables.sessionPacks)
    .where(isOfDay(tables, day, subject))
  return Number(row?.count ?? 0)
}

/** All packs of a subject on one day. */
export const listDay = (handle: Handle, day: number, subject: number): Promise<PackRow[]> =>
  listPacks(handle, { day, subject }, [0, LAST_MINUTE])

/** A pack by its day and the number of its events. */
export interface CountedPack {
  day: number
  count: number
}

const toCounted = ({ day, events }: Pick<PackRow, 'day' | 'events'>): CountedPack => ({
  day,
  count: countPacked(events),
})

/** Returns the packs that were deleted. */
export async function deleteDay({ db, tables }: Handle, day: number, subject: number): Promise<CountedPack[]> {
  const { sessionPacks: p } = tables
  const deleted = await db
    .delete(p)
    .where(isOfDay(tables, day, subject))
    .returning({ day: p.day, events: p.events })
  return deleted.map(toCounted)
}

/** Inserts a pack, or replaces the one with its key. */
export async function savePack(handle: Handle, row: PackRow): Promise<void> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables: { sessionPacks: p } }: Handle) => {
    const given = (name: string) => sql.raw(`excluded.${name}`)
    const set = {
      opens: given('opens'),
      timed: given('timed'),
      playMs: given('play_ms'),
      events: given('events'),
      versions: given('versions'),
    }
    return db.insert(p).values(values()).onConflictDoUpdate({ target: p.key, set }).prepare()
  }
  await prepared(handle, `sessions.savePack ${shape}`, build).execute(params)
}

/** Deletes at most `limit` packs of a project from before a day, and returns them. */
export async function deletePacksBefore(
  { db, tables }: Handle,
  project: number,
  day: number,
  limit: number,
): Promise<CountedPack[]> {
  const { sessionPacks: p } = tables
  const old = db
    .select({ key: p.key })
    .from(p)
    .where(and(eq(p.project, project), lt(p.day, day)))
    .limit(limit)
  const deleted = await db.delete(p).where(inArray(p.key, old)).returning({ day: p.day, events: p.events })
  return deleted.map(toCounted)
}

/** Forgets subscribers of whom nothing is stored: erased ones, whose packs were deleted. */
export async function deleteSubject({ db, tables }: Handle, number: number): Promise<void> {
  await db.delete(tables.sessionSubjects).where(eq(tables.sessionSubjects.number, number))
}

/** How many session events a project has of each UTC day of a range. */
export async function countSessionEvents(
  handle: Handle,
  projectId: string,
  [first, last]: readonly [first: number, last: number],
): Promise<Map<number, number>> {
  const project = await findProjectNumber(handle, projectId)
  if (project === null) return new Map()
  const counts = new Map<number, number>()
  const { sessionPacks: p } = handle.tables
  for (let after = packKey(first, 0, 0) - 1; ; ) {
    const isNext = and(eq(p.project, project), gt(p.key, after), lt(p.key, packKey(last + 1, 0, 0)))
    const rows = await handle.db
      .select({ key: p.key, day: p.day, events: p.events })
      .from(p)
      .where(isNext)
      .orderBy(p.key)
      .limit(PAGE)
    for (const { day, count } of rows.map(toCounted)) counts.set(day, (counts.get(day) ?? 0) + count)
    const end = rows.at(-1)
    if (!end || rows.length < PAGE) return counts
    after = end.key
  }
}

const PAGE = 1000
