import { AppError } from '../../base/errors'
import type { ImportCounters, ImportFindings, ImportOptions, ImportStatus, UndoResult } from './model'

/** What people do with an import job (wire 4.3). */
export type ImportAction =
  | 'editMapping'
  | 'addPart'
  | 'dryRun'
  | 'commit'
  | 'resume'
  | 'cancel'
  | 'undo'
  | 'createProducts'

/** While work continues. */
export const RUNNING_STATES: readonly ImportStatus[] = ['DRY_RUN_RUNNING', 'RUNNING', 'VERIFYING', 'UNDOING']

/** The states in which nothing continues by itself, so that the files are deleted some time later. */
export const FINISHED_STATES: readonly ImportStatus[] = ['COMPLETED', 'FAILED', 'CANCELLED']

export const isRunning = (status: ImportStatus): boolean => RUNNING_STATES.includes(status)

const ALLOWED: Readonly<Record<ImportAction, (status: ImportStatus) => boolean>> = {
  editMapping: (status) => !isRunning(status),
  addPart: (status) => !isRunning(status),
  dryRun: (status) => !isRunning(status),
  commit: (status) => status === 'DRY_RUN_COMPLETE',
  resume: (status) => status === 'VERIFICATION_INCOMPLETE' || status === 'VERIFYING',
  cancel: (status) => !FINISHED_STATES.includes(status) && status !== 'UNDOING',
  undo: (status) => !isRunning(status),
  // While rows are written too: those that follow find the products.
  createProducts: (status) => status !== 'PENDING_MAPPING' && status !== 'DRY_RUN_RUNNING',
}

export const isAllowed = (action: ImportAction, status: ImportStatus): boolean => ALLOWED[action](status)

/** 409 `IMPORT_JOB_STATE`. */
export function refuseState(action: ImportAction, state: ImportStatus): void {
  if (isAllowed(action, state)) return
  const message = `The import cannot do that in its present state: ${NEXT[state]}`
  throw new AppError('IMPORT_JOB_STATE', { action, state }, { message })
}

/** What can be done instead, as the end of a sentence. */
const NEXT: Readonly<Record<ImportStatus, string>> = {
  PENDING_MAPPING: 'map its columns first, in the console or with --mapping',
  DRY_RUN_RUNNING: 'wait until its dry run has ended',
  DRY_RUN_COMPLETE: 'nothing of it is written yet; commit it first',
  RUNNING: 'its rows are being written; wait, or cancel it',
  VERIFYING: 'the stores are being asked; wait, or cancel it',
  UNDOING: 'it is being taken back; wait until that has ended',
  VERIFICATION_INCOMPLETE: 'the stores were not asked about all of it; resume it, or take it back',
  COMPLETED: 'it is complete, and nothing is left to do',
  FAILED: 'it has failed; import the file again, and the rows that were written change nothing',
  CANCELLED: 'it was cancelled; import the file again, and the rows that were written change nothing',
}

export const NO_COUNTERS: Required<ImportCounters> = {
  ...{ rows: 0, valid: 0, invalid: 0, warnings: 0, subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 0 },
  ...{ skipped: 0, verified: 0, unverifiable: 0, remaining: 0 },
}

export const NO_FINDINGS: ImportFindings = { errors: [], unknownProducts: [] }

export const NOTHING_UNDONE: UndoResult = { purchasesRemoved: 0, purchasesChanged: 0, subscribersRemoved: 0 }

export const DEFAULT_OPTIONS: ImportOptions = {
  ...{ skipSandbox: true, importAnchorless: true, enrichUngroupedChains: false },
}
