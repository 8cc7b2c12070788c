import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listPlacementNames } from './queries'

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
