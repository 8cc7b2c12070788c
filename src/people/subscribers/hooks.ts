import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { ExportFile } from '../../base/db/personal-data'
import type { ProjectState } from '../../projects/project/state'
import type { SubscriberRow } from './queries'

/**
 * Deletes the data that a slice stores about a person. Runs in the transaction that erases the person. Records that
 * money depends on stay, but without personal data.
 */
export type OnErase = (tx: Tx, project: ProjectState, subscriber: SubscriberRow) => Promise<void>

/** Whose data is exported: a person, whatever rows were merged. */
export interface ExportedPerson {
  /** The row at the end of the merge chain. */
  row: SubscriberRow
  /** The id of that row and of every row merged into it. */
  ids: readonly string[]
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
export type OnExport = (handle: Handle, project: ProjectState, person: ExportedPerson) => ExportedData

declare module '../../base/state' {
  interface SliceHooks {
    onErase: OnErase
    onExport: OnExport
  }
}
