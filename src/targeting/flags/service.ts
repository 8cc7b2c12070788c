import type { Tx } from '../../base/context'
import { type RowChanges, type Writer, writeRows } from '../../base/db/row-changes'
import type { FlagRule } from '../../core/flag/schema'
import * as queries from './queries'

export type { FlagPage, FlagTableRow } from './queries'

/** A flag of one environment as it is written. */
export type Flag = Omit<queries.FlagTableRow, 'projectId' | 'createdAt' | 'updatedAt'>

/** A project's flags of all environments, by key. */
export const listFlags = queries.listFlags
export const pageFlags = queries.pageFlags
export const findFlag = queries.findFlag
export const listFlagsIn = queries.listFlagsIn
export const listFlagsOfKey = queries.listFlagsOfKey
export const listFlagKeys = queries.listFlagKeys
export const countFlags = queries.countFlags

const writer: Writer<Flag> = {
  release: queries.releaseFlags,
  remove: queries.deleteFlags,
  insert: queries.insertFlags,
  update: queries.updateFlag,
}

/** Writes a change of a project's flags. The caller has checked it, and calls `touchConfig`. */
export const writeFlags = (tx: Tx, projectId: string, changes: RowChanges<Flag>): Promise<void> =>
  writeRows(tx, projectId, writer, changes)

/** A rule in the form in which it is saved: members without a value are left out. */
export const plainRule = ({ audienceId, conditions, value, rolloutPercentage, bucketBy }: FlagRule): FlagRule => ({
  ...(audienceId != null && { audienceId }),
  ...(conditions != null && { conditions }),
  value,
  ...(rolloutPercentage != null && { rolloutPercentage }),
  ...(bucketBy != null && { bucketBy }),
})
