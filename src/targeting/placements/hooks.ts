import type { Handle } from '../../base/db/handle'
import type { AudienceUser } from '../../core/audience/check'
import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listPlacementNames } from './queries'
import { listPlacements } from './service'

/** The placements of a project, each with the audiences of its rows. */
export const placementAudienceUsers = async (handle: Handle, projectId: string): Promise<AudienceUser[]> =>
  (await listPlacements(handle, projectId)).map(({ id, identifier, rows }) => ({
    type: 'placement',
    id,
    name: identifier,
    audiences: Array.isArray(rows) ? rows.map((row) => row?.audienceId) : [],
  }))

/** Placements by identifier and name. */
export const searchPlacements: SearchObjects = async (ctx, project, text, limit) => {
  const rows = await listPlacementNames(ctx, project.id)
  const named = rows.map(({ id, identifier, name }) => ({
    id,
    title: identifier,
    subtitle: name,
    names: [identifier, name],
  }))
  return findNamed('placement', named, text, limit)
}
