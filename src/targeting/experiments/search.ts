import type { ListHeldVariants } from '../../people/directory/hooks'
import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listExperimentNames } from './admin-queries'
import { listAssignments } from './queries'

/** Experiments by key and name. */
export const searchExperiments: SearchObjects = async (ctx, project, text, limit) => {
  const experiments = await listExperimentNames(ctx, project.id)
  const named = experiments.map(({ id, key, name }) => ({ id, title: key, subtitle: name, names: [key, name] }))
  return findNamed('experiment', named, text, limit)
}

/** The variants that a subscriber holds, newest first. A draw of the last half second may not be saved yet. */
export const listVariantsOf: ListHeldVariants = async (ctx, projectId, subscriberId) => {
  const rows = await listAssignments(ctx, subscriberId)
  if (rows.length === 0) return []
  const keys = new Map((await listExperimentNames(ctx, projectId)).map(({ id, key }) => [id, key]))
  return rows
    .map(({ experimentId, variantId, assignedAt, exposedAt }) => ({
      experimentId,
      key: keys.get(experimentId) ?? experimentId,
      variantId,
      assignedAt,
      exposedAt,
    }))
    .sort((a, b) => b.assignedAt - a.assignedAt)
}
