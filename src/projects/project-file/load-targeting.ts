import { listAudiences } from '../../audiences/service'
import type { Handle } from '../../db/handle'
import { listExperiments } from '../../experiments/admin'
import { listFlags } from '../../flags/service'
import { loadFunnels } from '../../funnels/service'
import { listPlacements } from '../../placements/service'
import type { TargetingRows } from './current-targeting'

export const loadTargeting = async (handle: Handle, projectId: string): Promise<TargetingRows> => ({
  audiences: await listAudiences(handle, projectId),
  flags: await listFlags(handle, projectId),
  experiments: await listExperiments(handle, projectId),
  funnels: await loadFunnels(handle, projectId),
  placements: await listPlacements(handle, projectId),
})
