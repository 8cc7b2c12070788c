import type { Handle } from '../../base/db/handle'
import { unlessUnreadable } from '../../base/db/readable'
import { AppError } from '../../base/errors'
import { loadFunnels } from '../../funnels/publication/service'
import { listAudiences } from '../../targeting/audiences/service'
import { listExperiments } from '../../targeting/experiments/stored-experiments'
import { listFlags } from '../../targeting/flags/service'
import { listPlacements } from '../../targeting/placements/service'
import type { TargetingRows } from './current-targeting'

/** 409 `CONFLICT` where a row holds no JSON: what it was cannot be told, so no file can put it right. */
export async function loadTargeting(handle: Handle, projectId: string): Promise<TargetingRows> {
  const rows = await unlessUnreadable(load(handle, projectId))
  if (!rows) throw new AppError('CONFLICT', undefined, { message: UNREADABLE })
  return rows
}

const UNREADABLE =
  'A stored audience, flag, experiment, funnel or placement is no JSON, so nothing can be compared with it; `svc doctor` names it: put its text right in the database, or delete its row'

const load = async (handle: Handle, projectId: string): Promise<TargetingRows> => ({
  audiences: await listAudiences(handle, projectId),
  flags: await listFlags(handle, projectId),
  experiments: await listExperiments(handle, projectId),
  funnels: await loadFunnels(handle, projectId),
  placements: await listPlacements(handle, projectId),
})
