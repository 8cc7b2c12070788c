import type { Tx } from '../context'
import { type RowChanges, type Writer, writeRows } from '../db/row-changes'
import * as queries from './queries'

/** A flag of one environment as it is written. */
export type Flag = Omit<queries.FlagTableRow, 'projectId' | 'createdAt' | 'updatedAt'>

/** A project's flags of all environments, by key. */
export const listFlags = queries.listFlags

const writer: Writer<Flag> = {
  release: queries.releaseFlags,
  remove: queries.deleteFlags,
  insert: queries.insertFlags,
  update: queries.updateFlag,
}

/** Writes a change of a project's flags; the caller has checked it, and touches the configuration. */
export const writeFlags = (tx: Tx, projectId: string, changes: RowChanges<Flag>): Promise<void> =>
  writeRows(tx, projectId, writer, changes)
