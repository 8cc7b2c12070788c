import type { Handle } from '../../base/db/handle'
import type { Hooks } from '../../base/state'
import { type AudienceReference, type AudienceUser, referencesTo } from './check'

declare module '../../base/state' {
  interface SliceHooks {
    /** All objects of one kind in a project that can name audiences. An audience that is named cannot be deleted. */
    audienceUsers: (handle: Handle, projectId: string) => Promise<AudienceUser[]>
  }
}

/** Who uses which audience of a project, by the audience's id. */
export async function findReferences(
  handle: Handle & { readonly hooks: Hooks },
  projectId: string,
): Promise<(audienceId: string) => AudienceReference[]> {
  const sources = handle.hooks.audienceUsers ?? []
  const users = (await Promise.all(sources.map((source) => source(handle, projectId)))).flat()
  return (audienceId) => referencesTo(audienceId, users)
}
