import { listFunnelSlugs } from '../../funnels/publication/service'
import type { AuditEntry } from '../../projects/audit/audit'
import type { Edit } from '../../projects/project/edit'
import { changeEntry } from '../audiences/audit-entry'
import { listAudienceNames } from '../audiences/service'
import { experimentState } from './file-state'
import type { Experiment } from './stored-experiments'

/** The audit entry of an experiment: it stores what a project file writes of it, and its outcome. */
export async function experimentEntry(
  { tx, projectId }: Edit,
  verb: string,
  before: Experiment | null,
  after: Experiment | null,
): Promise<AuditEntry> {
  const names = {
    audiences: await listAudienceNames(tx, projectId),
    funnels: await listFunnelSlugs(tx, projectId),
  }
  return changeEntry('experiment', verb, before, after, (row) => {
    const { key, placementId, winnerVariantId } = row
    return { key, ...experimentState(row, names), placementId, winnerVariantId }
  })
}
