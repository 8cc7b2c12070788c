import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listAudienceNames } from './queries'

/** Audiences by name. */
export const searchAudiences: SearchObjects = async (ctx, project, text, limit) => {
  const audiences = [...(await listAudienceNames(ctx, project.id))]
  const named = audiences.map(([id, name]) => ({ id, title: name, names: [name] }))
  return findNamed('audience', named, text, limit)
}
