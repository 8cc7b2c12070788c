import { writeAudiences } from '../../audiences/service'
import type { Tx } from '../../context'
import { writeExperiments } from '../../experiments/admin'
import { writeFlags } from '../../flags/service'
import { writeFunnels } from '../../funnels/service'
import { writePlacements } from '../../placements/service'
import type { TargetingChanges } from './rows-targeting'

/** What is named before what names it. */
export async function writeTargeting(
  tx: Tx,
  projectId: string,
  { audiences, funnels, flags, experiments, placements }: TargetingChanges,
): Promise<void> {
  await writeAudiences(tx, projectId, audiences)
  await writeFunnels(tx, projectId, funnels, null)
  await writeFlags(tx, projectId, flags)
  await writeExperiments(tx, projectId, experiments)
  await writePlacements(tx, projectId, placements)
}
