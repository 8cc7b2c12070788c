import type { Context } from '../../base/context'
import { type OfferingView, toOfferingView } from '../../projects/catalog/wire'
import type { ProjectState } from '../../projects/project/state'
import type { EvaluationTarget } from '../audiences/evaluation-target'
import { withExperimentStanding } from '../remote-config/experiment-standing'
import { factsNeeded } from '../remote-config/needs'
import { keepDraws } from '../remote-config/service'
import { offeringByExperiment, type PresentedOffering } from './experiment'

/**
 * The offering that an experiment makes the default for this subscriber, or null. A variant drawn by this call is
 * queued and is kept from now on; draws of other experiments are not kept by this call.
 */
export async function offeringFor(
  ctx: Context,
  project: ProjectState,
  target: EvaluationTarget | null,
): Promise<PresentedOffering | null> {
  const { experiments, askedByRunning } = project.remote
  const isAny = experiments.some(({ type, status }) => type === 'OFFERING' && status === 'RUNNING')
  if (target === null || !isAny) return null
  const needs = { facts: factsNeeded(new Set(askedByRunning)), experiments: true }
  return withExperimentStanding(ctx, project, target, needs, ({ assigned }) => {
    const presented = offeringByExperiment(project.catalog, experiments, assigned.outcomes)
    const draw = presented?.source && assigned.draws.find(({ experimentId }) => experimentId === presented.experimentId)
    if (draw) keepDraws(ctx, target.subscriber, [draw])
    return presented
  })
}

/** All offerings for a caller, and the experiment that made one of them the default. */
export async function presentedOfferings(
  ctx: Context,
  project: ProjectState,
  target: EvaluationTarget | null,
): Promise<{ offerings: OfferingView[]; source: string | null }> {
  const { catalog } = project
  const presented = await offeringFor(ctx, project, target)
  const views = catalog.offerings.map((offering) => toOfferingView(catalog, offering))
  const offerings = presented ? views.map((view) => withDefault(view, presented.offering.identifier)) : views
  return { offerings, source: presented?.source ?? null }
}

/** The offering marked as the default or not, by its identifier. */
export const withDefault = (view: OfferingView, identifier: string): OfferingView => ({
  ...view,
  isDefault: view.identifier === identifier,
})
