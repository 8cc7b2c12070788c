import { sql } from 'drizzle-orm'
import type { Kit } from '../db/kit'

export type JobState = 'WAITING' | 'RUNNING' | 'DEAD'

export const jobTables = (k: Kit) => ({
  jobs: k.table(
    'jobs',
    {
      id: k.str().primaryKey(),
      name: k.str().notNull(),
      payload: k.json<Record<string, unknown>>().notNull(),
      /** At most one job of a name and key waits or runs; null = no such limit. */
      dedupeKey: k.str(),
      state: k.str().$type<JobState>().notNull(),
      /** The job does not run before this instant. For a dead job: when it died. */
      runAt: k.int().notNull(),
      /** Number of runs that failed or whose lease ran out. */
      attempts: k.int().notNull(),
      maxAttempts: k.int().notNull(),
      leasedBy: k.str(),
      leasedUntil: k.int(),
      /** The job was enqueued again while it runs. What it has read may be out of date, so it runs once more. */
      isWantedAgain: k.bool().notNull().default(false),
      lastError: k.str(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      // `queries.ts` repeats this condition word for word as its conflict target: a dead job keeps its key and blocks
      // no other.
      k.unique('jobs_dedupe').on(t.name, t.dedupeKey).where(sql`state <> 'DEAD'`),
      k.index('jobs_due').on(t.state, t.runAt),
    ],
  ),

  /**
   * For each cron line, the last instant for which its job was enqueued, so that only one of several processes enqueues
   * it.
   */
  cronRuns: k.table('cron_runs', { name: k.str().primaryKey(), lastRunAt: k.int().notNull() }),
})

type JobTables = ReturnType<typeof jobTables>

declare module '../db/tables' {
  interface Tables extends JobTables {}
}
