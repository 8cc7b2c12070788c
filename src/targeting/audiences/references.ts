import type { Handle } from '../../base/db/handle'
import type { Hooks } from '../../base/state'
import { type AudienceReference, type AudienceUser, referencesTo } from '../../core/audience/check'
import type { Fault } from '../../core/text/fault'
import { listAudiences } from './service'

declare module '../../base/state' {
  interface SliceHooks {
    /** All objects of one kind in a project that can name audiences. An audience that is named cannot be deleted. */
    audienceUsers: (handle: Handle, projectId: string) => Promise<AudienceUser[]>
    /** What would be wrong with the objects of a slice if an audience had these rules. */
    audienceRules: (handle: Handle, projectId: string, audience: { id: string; rules: unknown }) => Promise<Fault[]>
  }
}

/** Who uses which audience of a project, by the audience's id. */
export async function findReferences(
  handle: Handle & { readonly hooks: Hooks },
  projectId: string,
): Promise<(audience: { id: string; name: string }) => AudienceReference[]> {
  const sources = handle.hooks.audienceUsers ?? []
  const [audiences, ...users] = await Promise.all([
    listAudiences(handle, projectId),
    ...sources.map((source) => source(handle, projectId)),
  ])
  const own = audiences.map(({ id, name, rules }) => ({
    type: 'audience',
    id,
    name,
    audiences: [],
    documents: [rules],
  }))
  return ({ id, name }) => referencesTo(id, [...users.flat(), ...own.filter((other) => other.id !== id)], name)
}

/** What would be wrong elsewhere if an audience had these rules. */
export const dependentFaults = async (
  handle: Handle & { readonly hooks: Hooks },
  projectId: string,
  audience: { id: string; rules: unknown },
): Promise<Fault[]> =>
  (await Promise.all((handle.hooks.audienceRules ?? []).map((check) => check(handle, projectId, audience)))).flat()
