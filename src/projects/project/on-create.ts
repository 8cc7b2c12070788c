import type { Tx } from '../../base/context'

/** Writes the first rows of a slice for a new project, in the transaction that creates the project. */
export type OnCreateProject = (tx: Tx, projectId: string) => Promise<void>

declare module '../../base/state' {
  interface SliceHooks {
    onCreateProject: OnCreateProject
  }
}
