import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listFunnelNames } from './queries'

/** Funnels by slug and name. */
export const searchFunnels: SearchObjects = async (ctx, project, text, limit) => {
  const funnels = await listFunnelNames(ctx, project.id)
  const named = funnels.map(({ id, slug, name }) => ({ id, title: name, subtitle: slug, names: [slug, name] }))
  return findNamed('funnel', named, text, limit)
}
