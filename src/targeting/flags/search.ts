import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listFlagNames } from './queries'

/** Flags by key; a key has one flag for each environment. */
export const searchFlags: SearchObjects = async (ctx, project, text, limit) => {
  const flags = await listFlagNames(ctx, project.id)
  const named = flags.map(({ id, key, env }) => ({ id, title: key, subtitle: env, names: [key] }))
  return findNamed('flag', named, text, limit)
}
