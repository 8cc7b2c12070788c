import type { Handle } from '../../base/db/handle'
import type { AudienceUser } from '../../core/audience/check'
import { flagName } from '../../core/flag/names'
import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listFlagNames } from './queries'
import { listFlags } from './service'

/** The flags of a project, each with the audiences of its rules. */
export const flagAudienceUsers = async (handle: Handle, projectId: string): Promise<AudienceUser[]> =>
  (await listFlags(handle, projectId)).map(({ id, key, env, rules }) => ({
    type: 'flag',
    id,
    name: flagName(key, env),
    // Rules that were broken by hand name no audience.
    audiences: Array.isArray(rules) ? rules.map((rule) => rule?.audienceId) : [],
    documents: Array.isArray(rules) ? rules.map((rule) => rule?.conditions) : [],
  }))

/** Flags by key; a key has one flag for each environment. */
export const searchFlags: SearchObjects = async (ctx, project, text, limit) => {
  const flags = await listFlagNames(ctx, project.id)
  const named = flags.map(({ id, key, env }) => ({ id, title: key, subtitle: env, names: [key] }))
  return findNamed('flag', named, text, limit)
}
