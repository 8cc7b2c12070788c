import type { Handle } from '../../base/db/handle'
import type { AudienceUser } from '../audiences/check'
import { listPlacements } from './service'

/** The placements of a project, each with the audiences of its rows. */
export const placementAudienceUsers = async (handle: Handle, projectId: string): Promise<AudienceUser[]> =>
  (await listPlacements(handle, projectId)).map(({ id, identifier, rows }) => ({
    type: 'placement',
    id,
    name: identifier,
    audiences: Array.isArray(rows) ? rows.map((row) => row?.audienceId) : [],
  }))
