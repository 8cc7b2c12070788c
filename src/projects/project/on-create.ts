import type { Tx } from '../../base/context'

/** Writes what a new project begins with in one slice, in the transaction that makes the project. */
export type OnCreateProject = (tx: Tx, projectId: string) => Promise<void>

declare module '../../base/state' {
  interface SliceHooks {
    onCreateProject: OnCreateProject
  }
}
