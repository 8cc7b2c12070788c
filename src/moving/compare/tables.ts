import type { Kit } from '../../base/db/kit'
import { dailyColumns } from '../../base/jobs/daily'
import type { FindingKind } from './core/model'
import type { CompareCounters, CompareProgress, CompareStatus, Vendor } from './model'

export const compareTables = (k: Kit) => ({
  compareRuns: k.table(
    'compare_runs',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      vendor: k.str().$type<Vendor>().notNull(),
      /** Null for the vendor's own address. */
      url: k.str(),
      /** Whether the command line of the server has named the address: then any address may be called. */
      isTrusted: k.bool().notNull(),
      /**
       * The vendor's key, encrypted with the master key, while the server works on the run; null for the command line.
       */
      sealedKey: k.str(),
      /** How many people; null = all. */
      sample: k.int(),
      /** Only people whose draw is not above this are asked; null = all. */
      threshold: k.str(),
      rate: k.num().notNull(),
      skipSandbox: k.bool().notNull(),
      /** Whether it was started by the schedule of the project. */
      isScheduled: k.bool().notNull(),
      /** People up to this id take part. */
      lastId: k.str().notNull(),
      status: k.str().$type<CompareStatus>().notNull(),
      progress: k.json<CompareProgress>().notNull(),
      counters: k.json<CompareCounters>().notNull(),
      /** How many differences of each kind. */
      kinds: k.json<Partial<Record<FindingKind, number>>>().notNull(),
      /** Why it ended or stopped, in one sentence. */
      error: k.str(),
      /** The process that works on it now; null = none. */
      owner: k.str(),
      /** When that process last said that it works on it. */
      seenAt: k.int().notNull(),
      startedAt: k.int().notNull(),
      finishedAt: k.int(),
    },
    (t) => [k.index('compare_runs_project').on(t.projectId, t.id)],
  ),

  compareFindings: k.table(
    'compare_findings',
    {
      position: k.serial(),
      runId: k.str().notNull(),
      projectId: k.str().notNull(),
      /** Empty for a person who is not here. */
      subscriberId: k.str().notNull(),
      /** The id by which the vendor was asked. */
      person: k.str().notNull(),
      /** `FAULT`: the answer about the person could not be read. */
      kind: k.str().$type<FindingKind | 'FAULT'>().notNull(),
      identifier: k.str().notNull(),
      ours: k.str().notNull(),
      theirs: k.str().notNull(),
      /** The rule of `explain`; null where no purchase of ours takes part. */
      rule: k.str(),
      reason: k.str().notNull(),
      purchaseId: k.str(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.index('compare_findings_run').on(t.runId, t.position),
      k.index('compare_findings_purchase').on(t.runId, t.purchaseId),
      k.index('compare_findings_subscriber').on(t.subscriberId),
    ],
  ),

  /** People of a run who are read a second time at its end. */
  compareLater: k.table(
    'compare_later',
    {
      runId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      /** Not before this instant. */
      notBefore: k.int().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.runId, t.subscriberId] }),
      k.index('compare_later_subscriber').on(t.subscriberId),
    ],
  ),

  /** At most one for a project. */
  compareSchedules: k.table(
    'compare_schedules',
    {
      projectId: k.str().primaryKey(),
      id: k.str().notNull(),
      vendor: k.str().$type<Vendor>().notNull(),
      url: k.str(),
      isTrusted: k.bool().notNull(),
      sealedKey: k.str().notNull(),
      keyLast4: k.str().notNull(),
      sample: k.int(),
      rate: k.num().notNull(),
      skipSandbox: k.bool().notNull(),
      ...dailyColumns(k),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.index('compare_schedules_due').on(t.isEnabled, t.nextRunAt)],
  ),
})

type CompareTables = ReturnType<typeof compareTables>

declare module '../../base/db/tables' {
  interface Tables extends CompareTables {}
}
