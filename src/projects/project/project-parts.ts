import type { Handle } from '../../base/db/handle'
import type { Log } from '../../base/lib/log'
import type { ProjectParts } from './state'

/** What a slice gets when it loads its part of a project's configuration. */
export interface ProjectLoading {
  readonly handle: Handle
  readonly log: Log
  readonly projectId: string
  /** The part of another slice, which must come earlier in the list of slices. */
  part<Name extends keyof ProjectParts>(name: Name): Promise<ProjectParts[Name]>
}

/** The loaders of the parts that a slice declared in `ProjectParts`. */
export type PartLoaders = {
  readonly [Name in keyof ProjectParts]?: (loading: ProjectLoading) => Promise<ProjectParts[Name]>
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Loads parts of a project's configuration into memory. */
    projectParts: PartLoaders
  }
}

/** Loads all parts at the same time. A part that needs another one waits for it. */
export async function loadParts(
  loaders: readonly PartLoaders[],
  facts: Omit<ProjectLoading, 'part'>,
): Promise<ProjectParts> {
  const parts = new Map<string, Promise<unknown>>()
  // Each loader returns the type that its slice declared for the part.
  const part = (name: string) => (parts.get(name) ?? Promise.reject(new Error(`no part ${name} is loading`))) as never
  for (const [name, load] of loaders.flatMap((some) => Object.entries(some))) parts.set(name, load({ ...facts, part }))
  const loaded = await Promise.all([...parts].map(async ([name, loading]) => [name, await loading] as const))
  return Object.fromEntries(loaded) as unknown as ProjectParts
}
