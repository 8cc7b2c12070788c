import type { Tx } from '../../base/context'
import { writeFunnels } from '../../funnels/publication/service'
import { writeAudiences } from '../../targeting/audiences/service'
import { writeExperiments } from '../../targeting/experiments/stored-experiments'
import { writeFlags } from '../../targeting/flags/service'
import { writePlacements } from '../../targeting/placements/service'
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
