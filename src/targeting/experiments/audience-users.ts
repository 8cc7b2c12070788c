import type { Handle } from '../../base/db/handle'
import type { AudienceUser } from '../audiences/check'
import { listExperiments } from './stored-experiments'

/** The experiments of a project, each with its audience. */
export const experimentAudienceUsers = async (handle: Handle, projectId: string): Promise<AudienceUser[]> =>
  (await listExperiments(handle, projectId)).map(({ id, key, audienceId }) => ({
    type: 'experiment',
    id,
    name: key,
    audiences: [audienceId],
  }))
