import type { ProjectState } from '../../../projects/project/state'
import type { ImportJobRow } from '../queries'
import type { ImportSteps } from '../steps'

/** Who works on a job, and how. */
export interface Turn {
  isStopping(): boolean
  /** After each batch, with the job as it is now. */
  onProgress?(job: ImportJobRow): void
  /** Waits after each batch, so that a server has time for its callers. */
  isGentle?: boolean
}

export interface WorkParts {
  steps: ImportSteps
  project(): Promise<ProjectState>
  /** Throws `ImportStopped` when the work must stop. */
  afterBatch(job: ImportJobRow): Promise<void>
}
