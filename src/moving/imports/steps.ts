import type { Context, Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { UnknownProduct } from './model'
import type { ImportJobRow } from './queries'
import type { ImportRow, RowFault } from './row'

/** What the rows of one batch have changed. */
export interface BatchResult {
  subscribersNew: number
  purchasesNew: number
  purchasesUpdated: number
  /** Rows that made nothing, because what they say was known. */
  skipped: number
  unknownProducts: readonly UnknownProduct[]
  /** Rows that could be read and still cannot be used. */
  faults?: readonly RowFault[]
}

/** The work behind the reading of rows. */
export interface ImportSteps {
  commitBatch(tx: Tx, project: ProjectState, job: ImportJobRow, rows: readonly ImportRow[]): Promise<BatchResult>
  /** Of the second pass, instead of `commitBatch`. */
  enrichTokens(tx: Tx, project: ProjectState, job: ImportJobRow, rows: readonly ImportRow[]): Promise<BatchResult>
  /** After the last batch. */
  endCommit(tx: Tx, project: ProjectState, job: ImportJobRow): Promise<void>
  verifyJob(
    ctx: Context,
    project: ProjectState,
    job: ImportJobRow,
    turn: { signal: AbortSignal },
  ): Promise<'COMPLETED' | 'VERIFICATION_INCOMPLETE'>
  undoImport(ctx: Context, project: ProjectState, job: ImportJobRow): Promise<object>
}

declare module '../../base/state' {
  interface SliceState {
    importSteps: ImportSteps
    /** Whether this process works on an import. */
    importTurn: { isTaken: boolean }
  }
}

const missing = (): never => {
  throw new Error('the writing of imports is merged later')
}

export const importSteps: ImportSteps = {
  ...{ commitBatch: missing, enrichTokens: missing, endCommit: missing, verifyJob: missing, undoImport: missing },
}
