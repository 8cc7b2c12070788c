import type { Context, Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { commitBatch } from './commit/commit-batch'
import { endCommit } from './commit/end-commit'
import type { BatchResult, UndoResult } from './model'
import type { ImportJobRow } from './queries'
import type { ImportRow } from './row'
import { undoImport, type WriteUndo } from './undo/undo-import'
import { enrichTokens } from './verify/enrich'
import { verifyJob } from './verify/verify-job'

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
  undoImport(ctx: Context, project: ProjectState, job: ImportJobRow, write: WriteUndo): Promise<UndoResult>
}

declare module '../../base/state' {
  interface SliceState {
    importSteps: ImportSteps
    /** Whether this process works on an import. */
    importTurn: { isTaken: boolean }
  }
}

export const importSteps: ImportSteps = { commitBatch, enrichTokens, endCommit, verifyJob, undoImport }
