import type { Context } from '../../base/context'
import { chooseLocale } from '../../core/funnel/locale'
import type { PublishedFunnel } from '../../funnels/publication/published'
import { firstDeviceKey, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { EvaluationTarget } from '../audiences/evaluation-target'
import {
  anonymousStanding,
  type ExperimentStanding,
  visitorStanding,
  withExperimentStanding,
} from '../remote-config/experiment-standing'
import { factsNeeded } from '../remote-config/needs'
import { reportFaults } from '../remote-config/service'
import type { PlacementAnswer, Resolution } from './model'
import { resolvePlacement } from './resolve'
import type { ReadyPlacement } from './snapshot'

export type PresentedFunnel = PublishedFunnel & { locale: string }

/** Who calls: the device key, and its subscriber where there is one. */
export interface IdentifiedCaller {
  deviceKey: string | null
  subscriber: SubscriberRow | null
}

export interface PlacementPresentation {
  answer: PlacementAnswer<PresentedFunnel>
  /** Value of `X-Svc-Experiment`; null where no experiment answers, or where an anonymous caller is to draw. */
  source: string | null
}

/** What a placement shows to a caller (wire 2.12). Everything but the data of the subscriber is in memory. */
export async function presentPlacement(
  ctx: Context,
  project: ProjectState,
  identifier: string,
  { deviceKey, subscriber }: IdentifiedCaller,
  locale: string | null,
): Promise<PlacementPresentation> {
  const placement = project.placements.placements.get(identifier) ?? null
  const present = (standing: ExperimentStanding): PlacementPresentation => {
    const bucketingId = subscriber ? firstDeviceKey(subscriber) : deviceKey
    return resolve(ctx, project, placement, { bucketingId, deviceKey, standing, locale })
  }
  if (subscriber === null || deviceKey === null || !placement?.isActive)
    return present(anonymousStanding(ctx, project, deviceKey))
  return withExperimentStanding(ctx, project, { subscriber, deviceKey }, placement.needs, present)
}

/** What a placement shows to a visitor of a web page. The server draws the variant, by the id of the visitor. */
export async function presentToVisitor(
  ctx: Context,
  project: ProjectState,
  identifier: string,
  { visitorId, attributes }: { visitorId: string; attributes: Readonly<Record<string, string>> },
  locale: string | null,
): Promise<PlacementPresentation> {
  const placement = project.placements.placements.get(identifier) ?? null
  const standing = await visitorStanding(ctx, project, visitorId, attributes)
  return resolve(ctx, project, placement, { bucketingId: visitorId, deviceKey: null, standing, locale })
}

/**
 * The offering that each placement shows to a caller: the identifier of the offering by that of the placement; null =
 * none. Only placements that are active and have an offering in one of their rows.
 */
export async function placedOfferings(
  ctx: Context,
  project: ProjectState,
  target: EvaluationTarget | null,
): Promise<ReadonlyMap<string, string | null>> {
  const placements = [...project.placements.placements.values()].filter(mayShowOffering)
  const deviceKey = target?.deviceKey ?? null
  const bucketingId = target && firstDeviceKey(target.subscriber)
  const present = (standing: ExperimentStanding) =>
    new Map(
      placements.map((placement) => {
        const { answer } = resolve(ctx, project, placement, { bucketingId, deviceKey, standing, locale: null })
        return [placement.identifier, answer.offering?.identifier ?? null] as const
      }),
    )
  if (placements.length === 0) return new Map()
  if (target === null) return present(anonymousStanding(ctx, project, null))
  const needs = {
    facts: factsNeeded(new Set(placements.flatMap((placement) => placement.needs.facts.names))),
    experiments: placements.some((placement) => placement.needs.experiments),
  }
  return withExperimentStanding(ctx, project, target, needs, present)
}

const mayShowOffering = ({ isActive, rows }: ReadyPlacement): boolean =>
  isActive && rows.some(({ target }) => target.type === 'offering')

interface Call {
  bucketingId: string | null
  deviceKey: string | null
  standing: ExperimentStanding
  locale: string | null
}

function resolve(
  ctx: Context,
  project: ProjectState,
  placement: ReadyPlacement | null,
  { bucketingId, deviceKey, standing, locale }: Call,
): PlacementPresentation {
  const { outcomes } = standing.assigned
  const caller = { subject: standing.subject, bucketingId, deviceKey, outcomes }
  const resolution = resolvePlacement(placement, caller, worldOf(project, locale))
  reportFaults(ctx, project, named(resolution, placement?.identifier ?? ''))
  const { experiment } = resolution.answer
  const variant = experiment && outcomes.get(experiment.id)?.variant
  return { answer: resolution.answer, source: variant ? `${experiment.key}:${variant.id}` : null }
}

/** The locale of a funnel is chosen when it is used: a placement shows few of them. */
function worldOf({ remote, placements: { funnels, offerings } }: ProjectState, locale: string | null) {
  return {
    offerings,
    experiments: new Map(remote.experiments.map((experiment) => [experiment.id, experiment])),
    funnels: {
      get(id: string): PresentedFunnel | undefined {
        const funnel = funnels.get(id)
        return funnel && { ...funnel, locale: chooseLocale(funnel, locale) }
      },
    },
  }
}

const named = ({ faults }: Resolution<PresentedFunnel>, identifier: string) =>
  faults.map(({ path, message }) => ({ path: `${identifier}.${path}`, message }))
