import type { Kit } from '../../base/db/kit'
import type { StoredAttribute } from '../../people/subscribers/tables'
import type { Store } from '../../stores/observation'
import type {
  ImportCheckpoint,
  ImportCounters,
  ImportFile,
  ImportFindings,
  ImportKind,
  ImportMapping,
  ImportOptions,
  ImportStatus,
} from './model'

export const importTables = (k: Kit) => ({
  importJobs: k.table(
    'import_jobs',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      kind: k.str().$type<ImportKind>().notNull(),
      status: k.str().$type<ImportStatus>().notNull(),
      preset: k.str(),
      fileName: k.str().notNull(),
      files: k.json<ImportFile[]>().notNull(),
      headers: k.json<string[]>().notNull(),
      mapping: k.json<ImportMapping | null>(),
      options: k.json<ImportOptions>().notNull(),
      counters: k.json<ImportCounters>().notNull(),
      findings: k.json<ImportFindings>().notNull(),
      checkpoint: k.json<ImportCheckpoint | null>(),
      /** Why the job failed, in one sentence. */
      error: k.str(),
      startedBy: k.str().notNull(),
      /** The process that works on it now; null = none. */
      owner: k.str(),
      /** When that process last said that it works on it. */
      seenAt: k.int().notNull(),
      /** When the rows were first written; the import does not believe dates after it. */
      committedAt: k.int(),
      finishedAt: k.int(),
      filesDeletedAt: k.int(),
      undoneAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.index('import_jobs_project').on(t.projectId, t.id), k.index('import_jobs_status').on(t.status)],
  ),

  /** The subscribers that a job has created or changed. */
  importSubscribers: k.table(
    'import_subscribers',
    {
      jobId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      isNew: k.bool().notNull(),
      /** What the job has changed, as it was; null = nothing, or the job made the row. */
      before: k.json<SubscriberBefore | null>(),
    },
    (t) => [k.primaryKey({ columns: [t.jobId, t.subscriberId] })],
  ),

  /** The purchases that a job has created or changed. */
  importPurchases: k.table(
    'import_purchases',
    {
      jobId: k.str().notNull(),
      purchaseId: k.str().notNull(),
      isNew: k.bool().notNull(),
      /** Ids of observations that the job has read too, but an earlier job had brought. */
      repeats: k.json<string[]>().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.jobId, t.purchaseId] }), k.index('import_purchases_purchase').on(t.purchaseId)],
  ),

  /** What the stores can be asked about, one row for each proof of a job. */
  importAnchors: k.table(
    'import_anchors',
    {
      position: k.serial(),
      jobId: k.str().notNull(),
      projectId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      /** Null while the file alone could not make a purchase of it. */
      purchaseId: k.str(),
      store: k.str().$type<Store>().notNull(),
      /** Identifies the anchor within the job: kind of the proof and a hash of it. */
      anchorKey: k.ordered().notNull(),
      proof: k.json<ImportProof>().notNull(),
      state: k.str().$type<AnchorState>().notNull(),
      attempts: k.int().notNull(),
      error: k.str(),
    },
    (t) => [
      k.unique('import_anchors_key').on(t.jobId, t.anchorKey),
      k.index('import_anchors_state').on(t.jobId, t.state, t.position),
    ],
  ),
})

/** Null = the attribute was not there. */
export interface SubscriberBefore {
  attributes: Record<string, StoredAttribute | null>
  firstSeenAt: number
  lastSeenAt: number
}

/** By what a store is asked. */
export type ImportProof =
  | { kind: 'ORIGINAL_TRANSACTION'; id: string }
  | { kind: 'RECEIPT'; jws: string }
  | { kind: 'PURCHASE_TOKEN'; token: string; product: string | null; isSubscription: boolean | null }
  | { kind: 'ORDER'; id: string }
  | { kind: 'PROVIDER'; id: string }

/** `VERIFIED`: the store knows it. `UNRECOGNISED`: the store does not. `UNVERIFIABLE`: the store cannot be asked. */
export type AnchorState = 'PENDING' | 'VERIFIED' | 'UNRECOGNISED' | 'UNVERIFIABLE'

type ImportTables = ReturnType<typeof importTables>

declare module '../../base/db/tables' {
  interface Tables extends ImportTables {}
}
