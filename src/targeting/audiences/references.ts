import type { Handle } from '../../base/db/handle'
import { listExperiments } from '../experiments/stored-experiments'
import { flagName } from '../flags/project-file/model'
import { listFlags } from '../flags/service'
import { listPlacements } from '../placements/service'
import { type AudienceReference, type AudienceUser, referencesTo } from './check'

type Source = (handle: Handle, projectId: string) => Promise<AudienceUser[]>

const flagUsers: Source = async (handle, projectId) =>
  (await listFlags(handle, projectId)).map(({ id, key, env, rules }) => ({
    type: 'flag',
    id,
    name: flagName(key, env),
    // Rules that somebody broke by hand name nobody.
    audiences: Array.isArray(rules) ? rules.map((rule) => rule?.audienceId) : [],
  }))

const experimentUsers: Source = async (handle, projectId) =>
  (await listExperiments(handle, projectId)).map(({ id, key, audienceId }) => ({
    type: 'experiment',
    id,
    name: key,
    audiences: [audienceId],
  }))

const placementUsers: Source = async (handle, projectId) =>
  (await listPlacements(handle, projectId)).map(({ id, identifier, rows }) => ({
    type: 'placement',
    id,
    name: identifier,
    audiences: Array.isArray(rows) ? rows.map((row) => row?.audienceId) : [],
  }))

/** Every kind of object that can name an audience. */
const SOURCES: readonly Source[] = [flagUsers, experimentUsers, placementUsers]

/** Who uses which audience of a project, by the audience's id. */
export async function findReferences(
  handle: Handle,
  projectId: string,
): Promise<(audienceId: string) => AudienceReference[]> {
  const users = (await Promise.all(SOURCES.map((source) => source(handle, projectId)))).flat()
  return (audienceId) => referencesTo(audienceId, users)
}
