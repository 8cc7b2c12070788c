import type { Tx } from '../../base/context'
import type { Actor } from '../audit/audit'

/** Writes the first rows of a slice for a new project, in the transaction in which `actor` creates the project. */
export type OnCreateProject = (tx: Tx, projectId: string, actor: Actor) => Promise<void>

declare module '../../base/state' {
  interface SliceHooks {
    onCreateProject: OnCreateProject
  }
}
