import type { Context } from '../../base/context'
import { chooseLocale } from '../../funnels/publication/locale'
import type { PublishedFunnel } from '../../funnels/publication/published'
import { firstDeviceKey, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { anonymousStanding, type Standing, withStanding } from '../remote-config/outcomes'
import { tellFaults } from '../remote-config/service'
import type { PlacementAnswer, Resolution } from './model'
import { resolvePlacement } from './resolve'
import type { ReadyPlacement } from './snapshot'

export type ShownFunnel = PublishedFunnel & { locale: string }

/** Who asks: a subscriber where the device key leads to one. */
export interface PlacementAsker {
  deviceKey: string | null
  subscriber: SubscriberRow | null
}

export interface ShownPlacement {
  answer: PlacementAnswer<ShownFunnel>
  /** Value of `X-Svc-Experiment`; null where no experiment answers, or an anonymous caller is to draw. */
  source: string | null
}

/** What stands in a placement for a caller (wire 2.12): from memory, but for what is known of the subscriber. */
export async function showPlacement(
  ctx: Context,
  project: ProjectState,
  identifier: string,
  { deviceKey, subscriber }: PlacementAsker,
  locale: string | null,
): Promise<ShownPlacement> {
  const placement = project.placements.placements.get(identifier) ?? null
  const show = (standing: Standing): ShownPlacement => {
    const bucketingId = subscriber ? firstDeviceKey(subscriber) : deviceKey
    return resolve(ctx, project, placement, { bucketingId, deviceKey, standing, locale })
  }
  if (subscriber === null || deviceKey === null || !placement?.isActive)
    return show(anonymousStanding(ctx, project, deviceKey))
  return withStanding(ctx, project, { subscriber, deviceKey }, placement.asked, show)
}

interface Call {
  bucketingId: string | null
  deviceKey: string | null
  standing: Standing
  locale: string | null
}

function resolve(
  ctx: Context,
  project: ProjectState,
  placement: ReadyPlacement | null,
  { bucketingId, deviceKey, standing, locale }: Call,
): ShownPlacement {
  const { outcomes } = standing.assigned
  const caller = { subject: standing.subject, bucketingId, deviceKey, outcomes }
  const resolution = resolvePlacement(placement, caller, worldOf(project, locale))
  tellFaults(ctx, project, named(resolution, placement?.identifier ?? ''))
  const { experiment } = resolution.answer
  const variant = experiment && outcomes.get(experiment.id)?.variant
  return { answer: resolution.answer, source: variant ? `${experiment.key}:${variant.id}` : null }
}

/** Funnels get their locale when one is asked for: a placement shows few of them. */
function worldOf({ remote, placements: { funnels } }: ProjectState, locale: string | null) {
  return {
    experiments: new Map(remote.experiments.map((experiment) => [experiment.id, experiment])),
    funnels: {
      get(id: string): ShownFunnel | undefined {
        const funnel = funnels.get(id)
        return funnel && { ...funnel, locale: chooseLocale(funnel, locale) }
      },
    },
  }
}

const named = ({ faults }: Resolution<ShownFunnel>, identifier: string) =>
  faults.map(({ path, message }) => ({ path: `${identifier}.${path}`, message }))
