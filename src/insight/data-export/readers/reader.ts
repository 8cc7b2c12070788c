import type { Handle } from '../../../base/db/handle'
import type { ProjectState } from '../../../projects/project/state'
import type { Column, ColumnType, ExportRow, ExportWindow } from '../model'

export interface ReadScope {
  project: ProjectState
  window: ExportWindow
}

/** A part of a table. `next` is the position behind it; null = the table has no more rows. */
export interface ReadPage {
  rows: readonly ExportRow[]
  next: string | null
  /** How many rows of the table were looked at, also those that are outside of the window. */
  seen: number
}

/**
 * Reads a table page by page in an order that never changes, so that a run can continue at a position. Each statement
 * looks at a limited number of rows, however few of them are in the window.
 */
export interface TableReader {
  readonly columns: readonly Column[]
  page(handle: Handle, scope: ReadScope, after: string | null): Promise<ReadPage>
  /** How many rows `seen` comes to in the end, about. */
  count(handle: Handle, projectId: string): Promise<number>
}

/** Columns in the order of the record. A name that is missing does not compile. */
export const columnsOf = <Name extends string>(types: Record<Name, ColumnType>) =>
  (Object.keys(types) as Name[]).map((name) => ({ name, type: types[name] })) // The record has no other names.

/** Cells in the order of the columns, from a record of them. A missing member does not compile. */
export const rowWriter =
  <Name extends string>(columns: readonly { name: Name; type: Column['type'] }[]) =>
  (record: Record<Name, ExportRow[number]>): ExportRow =>
    columns.map(({ name }) => record[name])
