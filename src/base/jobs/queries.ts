import { and, asc, count, desc, eq, gt, inArray, lte, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Driver, Handle } from '../db/handle'
import type { JobState } from './tables'

export type JobRow = Handle['tables']['jobs']['$inferSelect']

/** One run, as the process that holds its lease identifies it among all runs of the same row. */
export type Run = Pick<JobRow, 'id' | 'leasedBy' | 'attempts'>

/**
 * Inserts a job. If its key is taken by a waiting job, nothing changes and the result is null. If it is taken by a
 * running job, that job is marked to run again with the new payload. Otherwise returns the id of the row that will run.
 */
export async function insertJob({ db, tables: { jobs } }: Handle, row: JobRow): Promise<string | null> {
  const [kept] = await db
    .insert(jobs)
    .values(row)
    .onConflictDoUpdate({
      target: [jobs.name, jobs.dedupeKey],
      targetWhere: sql`state <> 'DEAD'`,
      set: { isWantedAgain: true, payload: sql`excluded.payload`, runAt: sql`excluded.run_at` },
      setWhere: eq(jobs.state, 'RUNNING'),
    })
    .returning({ id: jobs.id })
  return kept?.id ?? null
}

export interface ClaimOrder {
  names: readonly string[]
  limit: number
  leasedBy: string
  leasedUntil: number
  now: number
}

const isDue = ({ jobs }: Handle['tables'], now: number): SQL | undefined =>
  and(eq(jobs.state, 'WAITING'), lte(jobs.runAt, now))

/** Whether `claimDue` would find a job. It is asked first, so that an idle process writes nothing. */
export async function hasDue({ db, tables }: Handle, names: readonly string[], now: number): Promise<boolean> {
  const { jobs } = tables
  const isKnown = inArray(jobs.name, [...names])
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isDue(tables, now), isKnown))
    .limit(1)
  return rows.length > 0
}

/** Leases up to `limit` due jobs, the longest due first. Processes that claim at the same time get different jobs. */
export async function claimDue({ db, tables }: Handle, driver: Driver, order: ClaimOrder): Promise<JobRow[]> {
  const { jobs } = tables
  const { names, limit, leasedBy, leasedUntil, now } = order
  const due = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isDue(tables, now), inArray(jobs.name, [...names])))
    .orderBy(asc(jobs.runAt))
    .limit(limit)
    .getSQL()
  const claimed = await db
    .update(jobs)
    .set({ state: 'RUNNING', leasedBy, leasedUntil, isWantedAgain: false })
    .where(isOneOf(jobs.id, due, driver))
    .returning()
  return claimed.sort((a, b) => a.runAt - b.runAt)
}

/**
 * The one difference between the dialects. SQLite allows one writer, and this transaction is it. Postgres skips rows
 * that others are claiming. The array makes Postgres run the inner query once; with `in` it could run the query again
 * and lease more than `limit` jobs.
 */
function isOneOf(id: Handle['tables']['jobs']['id'], due: SQL, driver: Driver): SQL {
  return driver === 'postgres' ? sql`${id} = any(array(${due} for update skip locked))` : sql`${id} in (${due})`
}

const NO_LEASE = { leasedBy: null, leasedUntil: null, isWantedAgain: false }

/**
 * The row, while the lease of this run is valid. A lease that ran out counts as an attempt, so `attempts` identifies
 * the run.
 */
const isHeld = ({ jobs }: Handle['tables'], { id, leasedBy, attempts }: Run): SQL | undefined =>
  and(eq(jobs.id, id), eq(jobs.state, 'RUNNING'), eq(jobs.leasedBy, leasedBy ?? ''), eq(jobs.attempts, attempts))

/** Deletes the row of a finished run; false when the lease is lost or the job must run again. */
export async function deleteFinished({ db, tables }: Handle, run: Run): Promise<boolean> {
  const { jobs } = tables
  const isLast = and(isHeld(tables, run), eq(jobs.isWantedAgain, false))
  return (await db.delete(jobs).where(isLast).returning({ id: jobs.id })).length > 0
}

/** Makes the row of a run wait like a new job, if it must run again; false when the lease is lost. */
export async function startOver({ db, tables }: Handle, run: Run, lastError: string | null): Promise<boolean> {
  const change = { ...NO_LEASE, state: 'WAITING' as const, attempts: 0, lastError }
  const rows = await db.update(tables.jobs).set(change).where(isHeld(tables, run)).returning({ id: tables.jobs.id })
  return rows.length > 0
}

/**
 * Makes the row of a failed run wait for its next attempt. If a later instant was requested meanwhile, that instant
 * stays.
 */
export async function postpone({ db, tables }: Handle, run: Run, retryAt: number, lastError: string): Promise<boolean> {
  const { jobs } = tables
  const runAt = sql`case when ${jobs.runAt} > ${retryAt} then ${jobs.runAt} else ${retryAt} end`
  const change = { ...NO_LEASE, state: 'WAITING' as const, attempts: run.attempts + 1, runAt, lastError }
  return (await db.update(jobs).set(change).where(isHeld(tables, run)).returning({ id: jobs.id })).length > 0
}

/**
 * Marks the row of a run as dead and replaces an older dead job of the same name and key; false as in `deleteFinished`.
 */
export async function bury({ db, tables }: Handle, run: Run, diedAt: number, lastError: string): Promise<boolean> {
  const { jobs } = tables
  const change = { ...NO_LEASE, state: 'DEAD' as const, attempts: run.attempts + 1, runAt: diedAt, lastError }
  const isLast = and(isHeld(tables, run), eq(jobs.isWantedAgain, false))
  const [dead] = await db.update(jobs).set(change).where(isLast).returning({ name: jobs.name, key: jobs.dedupeKey })
  if (!dead) return false
  if (dead.key === null) return true
  const isSame = and(eq(jobs.name, dead.name), eq(jobs.dedupeKey, dead.key))
  await db.delete(jobs).where(and(eq(jobs.state, 'DEAD'), isSame, ne(jobs.id, run.id)))
  return true
}

/** Of these jobs, those that the process still holds. */
export async function extendLeases(
  { db, tables: { jobs } }: Handle,
  ids: readonly string[],
  leasedBy: string,
  leasedUntil: number,
): Promise<void> {
  const isHeldByUs = and(inArray(jobs.id, [...ids]), eq(jobs.state, 'RUNNING'), eq(jobs.leasedBy, leasedBy))
  await db.update(jobs).set({ leasedUntil }).where(isHeldByUs)
}

/** Lets all leases run out at once. */
export async function lapseLeases({ db, tables: { jobs } }: Handle, now: number): Promise<void> {
  await db
    .update(jobs)
    .set({ leasedUntil: now })
    .where(and(eq(jobs.state, 'RUNNING'), gt(jobs.leasedUntil, now)))
}

const isLapsed = ({ jobs }: Handle['tables'], now: number): SQL | undefined =>
  and(eq(jobs.state, 'RUNNING'), lte(jobs.leasedUntil, now))

export async function hasLapsed({ db, tables }: Handle, now: number): Promise<boolean> {
  const rows = await db.select({ id: tables.jobs.id }).from(tables.jobs).where(isLapsed(tables, now)).limit(1)
  return rows.length > 0
}

/**
 * Makes jobs wait again whose lease ran out because their process ended. A job that always ends its process reaches its
 * last attempt and dies.
 */
export async function reviveLapsed(
  { db, tables }: Handle,
  now: number,
): Promise<Pick<JobRow, 'id' | 'name' | 'state'>[]> {
  const { jobs } = tables
  const isLast = sql`not ${jobs.isWantedAgain} and ${jobs.attempts} + 1 >= ${jobs.maxAttempts}`
  return db
    .update(jobs)
    .set({
      ...NO_LEASE,
      state: sql`case when ${isLast} then 'DEAD' else 'WAITING' end`,
      runAt: sql`case when ${isLast} then ${now} else ${jobs.runAt} end`,
      attempts: sql`case when ${jobs.isWantedAgain} then 0 else ${jobs.attempts} + 1 end`,
      lastError: 'the process that ran it is gone',
    })
    .where(isLapsed(tables, now))
    .returning({ id: jobs.id, name: jobs.name, state: jobs.state })
}

/** Releases all leases of a stopping process. This counts as no attempt. */
export async function releaseLeases({ db, tables: { jobs } }: Handle, leasedBy: string): Promise<number> {
  const isOurs = and(eq(jobs.state, 'RUNNING'), eq(jobs.leasedBy, leasedBy))
  const change = { ...NO_LEASE, state: 'WAITING' as const }
  return (await db.update(jobs).set(change).where(isOurs).returning({ id: jobs.id })).length
}

export async function findUnknownJob(
  { db, tables }: Handle,
  known: readonly string[],
  now: number,
): Promise<string | null> {
  const { jobs } = tables
  const isUnknown = notInArray(jobs.name, [...known])
  const [row] = await db
    .select({ name: jobs.name })
    .from(jobs)
    .where(and(isDue(tables, now), isUnknown))
    .limit(1)
  return row?.name ?? null
}

export async function countByState({ db, tables: { jobs } }: Handle): Promise<Map<JobState, number>> {
  const rows = await db.select({ state: jobs.state, depth: count() }).from(jobs).groupBy(jobs.state)
  return new Map(rows.map(({ state, depth }) => [state, depth]))
}

/** Dead jobs, the latest death first. */
export async function listDeadRows({ db, tables: { jobs } }: Handle, limit: number): Promise<JobRow[]> {
  return db.select().from(jobs).where(eq(jobs.state, 'DEAD')).orderBy(desc(jobs.runAt), desc(jobs.id)).limit(limit)
}

export async function takeDead({ db, tables: { jobs } }: Handle, id: string): Promise<JobRow | null> {
  const [row] = await db
    .delete(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.state, 'DEAD')))
    .returning()
  return row ?? null
}

/** The last instant of each cron line for which its job was enqueued. */
export async function cronRunsOf({ db, tables: { cronRuns } }: Handle): Promise<ReadonlyMap<string, number>> {
  const rows = await db.select().from(cronRuns)
  return new Map(rows.map(({ name, lastRunAt }) => [name, lastRunAt]))
}

/** Moves a cron line's last instant forward; false when another process has done so. */
export async function moveCronRun(
  { db, tables: { cronRuns } }: Handle,
  name: string,
  lastRunAt: number,
): Promise<boolean> {
  const moved = await db
    .insert(cronRuns)
    .values({ name, lastRunAt })
    .onConflictDoUpdate({
      target: cronRuns.name,
      set: { lastRunAt },
      setWhere: gt(sql`excluded.last_run_at`, cronRuns.lastRunAt),
    })
    .returning({ name: cronRuns.name })
  return moved.length > 0
}
