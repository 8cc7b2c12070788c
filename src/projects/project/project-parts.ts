import type { Handle } from '../../base/db/handle'
import type { Log } from '../../base/lib/log'
import type { ProjectParts } from './state'

/** One loading of a project's configuration, as the slices see it that make their parts of it. */
export interface ProjectLoading {
  readonly handle: Handle
  readonly log: Log
  readonly projectId: string
  /** The part of a slice that stands before in the list of slices. */
  part<Name extends keyof ProjectParts>(name: Name): Promise<ProjectParts[Name]>
}

/** Loaders of the parts that a slice declared into `ProjectParts`. */
export type PartLoaders = {
  readonly [Name in keyof ProjectParts]?: (loading: ProjectLoading) => Promise<ProjectParts[Name]>
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Parts of a project's configuration in memory. */
    projectParts: PartLoaders
  }
}

/** Loads every part, side by side; one that needs another waits for it. */
export async function loadParts(
  loaders: readonly PartLoaders[],
  facts: Omit<ProjectLoading, 'part'>,
): Promise<ProjectParts> {
  const parts = new Map<string, Promise<unknown>>()
  // What the slices declared is what their loaders give.
  const part = (name: string) => (parts.get(name) ?? Promise.reject(new Error(`no part ${name} is loading`))) as never
  for (const [name, load] of loaders.flatMap((some) => Object.entries(some))) parts.set(name, load({ ...facts, part }))
  const loaded = await Promise.all([...parts].map(async ([name, loading]) => [name, await loading] as const))
  return Object.fromEntries(loaded) as unknown as ProjectParts
}
