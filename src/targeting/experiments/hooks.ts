import type { Handle } from '../../base/db/handle'
import type { AudienceUser } from '../../core/audience/check'
import type { KeyHolder } from '../../core/flag/names'
import type { ListHeldVariants } from '../../people/directory/hooks'
import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listExperimentNames } from './admin-queries'
import { claimsKey } from './key'
import { listAssignments } from './queries'
import { findExperiment, listExperiments } from './stored-experiments'

/** For the hook `keyHolder`: whether an experiment has the key. */
export async function experimentKeyHolder(handle: Handle, projectId: string, key: string): Promise<KeyHolder | null> {
  const experiment = await findExperiment(handle, projectId, { key })
  return experiment && claimsKey(experiment.status) ? 'experiment' : null
}

/** The experiments of a project, each with its audience. */
export const experimentAudienceUsers = async (handle: Handle, projectId: string): Promise<AudienceUser[]> =>
  (await listExperiments(handle, projectId)).map(({ id, key, audienceId }) => ({
    type: 'experiment',
    id,
    name: key,
    audiences: [audienceId],
  }))

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
