import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { ExportFile } from '../../base/db/personal-data'
import type { ProjectState } from '../../projects/project/state'
import type { SubscriberRow } from './queries'

/** A person who is being erased. */
export interface ErasedPerson {
  /** Ids of the row and of every row that was merged into it. */
  readonly ids: readonly string[]
  /** As they were until now; the rows no longer have them. */
  readonly deviceKeys: readonly string[]
  readonly labels: readonly string[]
  readonly purchaseIds: readonly string[]
  /** Notifications of the stores that are about the person's purchases. */
  readonly storeEventIds: readonly string[]
  /** What names one of these texts is about the person. */
  readonly texts: PersonTexts
}

export interface PersonTexts {
  /** Ids of svc and of the stores: each names the person or one of their purchases, wherever it is. */
  readonly ids: readonly string[]
  /**
   * Chosen by the app or the person: device keys, labels, account tokens, e-mail addresses. Any of them may be an
   * everyday word elsewhere, so they count only where such a text is expected.
   */
  readonly chosen: readonly string[]
}

/**
 * By the table's name in the database, and for `attributes`: how many rows were deleted, and from how many the personal
 * data was removed.
 */
export type ErasedRows = Readonly<Record<string, { removed?: number; reduced?: number }>>

/**
 * Deletes the data that a slice stores about a person. Runs in the transaction that erases the person, and may run more
 * than once. Records that money depends on stay, but without personal data.
 */
export type OnErase = (
  tx: Tx,
  project: ProjectState,
  subscriber: SubscriberRow,
  person: ErasedPerson,
) => Promise<ErasedRows>

/**
 * Removes what a slice stores about a person outside of the database. Runs after the person was erased there, and may
 * run more than once. Rejects when it cannot be done now; the erasure then continues later.
 */
export type AfterErase = (
  ctx: Context,
  project: ProjectState,
  person: Pick<ErasedPerson, 'ids' | 'texts'>,
) => Promise<void>

/** Ids of what a slice stores about the person and audit rows can name. Read before any slice erases the person. */
export type ListAudited = (tx: Tx, ids: readonly string[]) => Promise<string[]>

/** Whose data is exported: a person, whatever rows were merged. */
export interface ExportedPerson {
  /** The row at the end of the merge chain. */
  row: SubscriberRow
  /** The id of that row and of every row merged into it. */
  ids: readonly string[]
  /** What names the person in texts: device keys, ids of the app and values of attributes, of all these rows. */
  texts: readonly string[]
}

/**
 * Rows by the file that they belong to. They are read only as fast as they are written. A file that ends in `.json` is
 * one object, which has the members of all rows; in a `.jsonl` file each row is a line.
 */
export type ExportedData = { readonly [Name in ExportFile]?: AsyncIterable<object> }

/**
 * The data that a slice stores about a person, for that person's data export. Nothing about other people is in it, and
 * no secret of the operator.
 */
export type OnExport = (
  handle: Handle,
  project: ProjectState,
  person: ExportedPerson,
  /** Opens what the person has said under encryption. */
  keys: Pick<Context, 'vault'>,
) => ExportedData

declare module '../../base/state' {
  interface SliceHooks {
    onErase: OnErase
    afterErase: AfterErase
    listAudited: ListAudited
    onExport: OnExport
  }
}
