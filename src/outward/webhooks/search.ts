import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listEndpoints } from './queries'

/** Webhook endpoints by name. */
export const searchEndpoints: SearchObjects = async (ctx, project, text, limit) => {
  const endpoints = await listEndpoints(ctx, project.id)
  const named = endpoints.map(({ id, name }) => ({ id, title: name, names: [name] }))
  return findNamed('endpoint', named, text, limit)
}
