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
      /** Not before this instant; of a dead job, when it died. */
      runAt: k.int().notNull(),
      /** Runs that failed, or that nobody came back from. */
      attempts: k.int().notNull(),
      maxAttempts: k.int().notNull(),
      leasedBy: k.str(),
      leasedUntil: k.int(),
      /** Asked for again while it runs: what is being done may be out of date, so it runs once more. */
      isWantedAgain: k.bool().notNull().default(false),
      lastError: k.str(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      // `queries.ts` names this condition word for word as its conflict target: a dead job keeps its key and blocks none.
      k.unique('jobs_dedupe').on(t.name, t.dedupeKey).where(sql`state <> 'DEAD'`),
      k.index('jobs_due').on(t.state, t.runAt),
    ],
  ),

  /** Cron lines: the last instant each was enqueued for, so that several processes enqueue it once. */
  cronRuns: k.table('cron_runs', { name: k.str().primaryKey(), lastRunAt: k.int().notNull() }),
})

type JobTables = ReturnType<typeof jobTables>

declare module '../db/tables' {
  interface Tables extends JobTables {}
}
