import type { Context, Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { BatchResult, UndoResult } from './model'
import type { ImportJobRow } from './queries'
import type { ImportRow } from './row'
import type { ImportTurns } from './turns'
import type { WriteUndo } from './undo/undo-import'

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
    importTurns: ImportTurns
  }
}

/** Most servers import nothing for years, so each step is loaded at its first use. */
export const importSteps: ImportSteps = {
  commitBatch: async (...given) => (await import('./commit/commit-batch')).commitBatch(...given),
  enrichTokens: async (...given) => (await import('./verify/enrich')).enrichTokens(...given),
  endCommit: async (...given) => (await import('./commit/end-commit')).endCommit(...given),
  verifyJob: async (...given) => (await import('./verify/verify-job')).verifyJob(...given),
  undoImport: async (...given) => (await import('./undo/undo-import')).undoImport(...given),
}
