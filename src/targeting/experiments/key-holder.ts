import type { Handle } from '../../base/db/handle'
import type { KeyHolder } from '../flags/key'
import { claimsKey } from './key'
import { findExperiment } from './stored-experiments'

/** For the hook `keyHolder`: whether an experiment has the key. */
export async function experimentKeyHolder(handle: Handle, projectId: string, key: string): Promise<KeyHolder | null> {
  const experiment = await findExperiment(handle, projectId, { key })
  return experiment && claimsKey(experiment.status) ? 'experiment' : null
}
