import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { Asker } from '../remote-config/assignments'
import { factsNeeded } from '../remote-config/needs'
import { withStanding } from '../remote-config/outcomes'
import { keepDraws } from '../remote-config/service'
import { offeringByExperiment, type ShownOffering } from './experiment'

/**
 * The offering that is the default for this subscriber by an experiment, or null. A variant drawn by this call is
 * queued and holds from now on; draws of other experiments are left to the calls that answer by them.
 */
export async function offeringFor(
  ctx: Context,
  project: ProjectState,
  asker: Asker | null,
): Promise<ShownOffering | null> {
  const { experiments, askedByRunning } = project.remote
  const isAny = experiments.some(({ type, status }) => type === 'OFFERING' && status === 'RUNNING')
  if (asker === null || !isAny) return null
  const asked = { facts: factsNeeded(new Set(askedByRunning)), experiments: true }
  return withStanding(ctx, project, asker, asked, ({ assigned }) => {
    const shown = offeringByExperiment(project.catalog, experiments, assigned.outcomes)
    const draw = shown?.source && assigned.draws.find(({ experimentId }) => experimentId === shown.experimentId)
    if (draw) keepDraws(ctx, asker.subscriber, [draw])
    return shown
  })
}
