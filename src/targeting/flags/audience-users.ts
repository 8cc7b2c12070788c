import type { Handle } from '../../base/db/handle'
import type { AudienceUser } from '../audiences/check'
import { flagName } from './file-state'
import { listFlags } from './service'

/** The flags of a project, each with the audiences of its rules. */
export const flagAudienceUsers = async (handle: Handle, projectId: string): Promise<AudienceUser[]> =>
  (await listFlags(handle, projectId)).map(({ id, key, env, rules }) => ({
    type: 'flag',
    id,
    name: flagName(key, env),
    // Rules that somebody broke by hand name nobody.
    audiences: Array.isArray(rules) ? rules.map((rule) => rule?.audienceId) : [],
    documents: Array.isArray(rules) ? rules.map((rule) => rule?.conditions) : [],
  }))
