import type { Context } from '../../../base/context'
import type { SliceHooks } from '../../../base/state'
import type { PlacedVisitor } from '../../../funnels/sessions/service'
import type { ProjectState } from '../../../projects/project/state'
import { exposeVisitor } from '../../experiments/expose-visitor'
import type { PlacementAnswer } from '../model'
import { type PresentedFunnel, presentToVisitor } from '../presentation'

/** What rules can ask of a visitor of a web page (funnels 5). */
export function attributesOf({ query, country, language, referrer }: Omit<PlacedVisitor, 'placement'>) {
  const known = {
    platform: 'web',
    ...(country !== null && { country }),
    ...(language !== null && { language: language.toLowerCase().split('-')[0] ?? '' }),
    ...(referrer !== null && { 'referrer.host': referrer }),
  }
  const asked = Object.entries(query).map(([name, value]) => [`query.${name}`, value])
  return { ...Object.fromEntries(asked), ...known } as Record<string, string>
}

export const newVisitor = ({ ids }: Pick<Context, 'ids'>): string => `vid_${ids.token(22)}`

interface Shown {
  answer: PlacementAnswer<PresentedFunnel>
  funnel: PresentedFunnel | null
  variantId: string | null
}

/** What the placement shows to this visitor, with the variant that the server has drawn. */
export async function shownTo(
  ctx: Context,
  project: ProjectState,
  visitor: PlacedVisitor,
  visitorId: string,
  locale: string | null,
): Promise<Shown> {
  const who = { visitorId, attributes: attributesOf(visitor) }
  const { answer } = await presentToVisitor(ctx, project, visitor.placement, who, locale)
  const { experiment } = answer
  if (!experiment) return { answer, funnel: answer.funnel, variantId: null }
  const drawn = experiment.variants.filter(({ variantId }) => variantId === experiment.assignedVariantId)
  const [variant = null] = drawn
  const one = { ...experiment, variants: drawn }
  return {
    answer: { ...answer, experiment: one },
    funnel: variant?.funnel ?? null,
    variantId: variant?.variantId ?? null,
  }
}

/**
 * The funnel of a placement. A visitor whom the funnel may not remember without consent is drawn by the session, and
 * counts by it.
 */
export const placedFunnel: SliceHooks['placedFunnel'] = async (ctx, project, visitor) => {
  ctx.state.resolutions.count(project.id, visitor.placement)
  const fresh = visitor.visitor ?? newVisitor(ctx)
  const first = await shownTo(ctx, project, visitor, fresh, null)
  const isForgotten = visitor.visitor === null && first.funnel?.settings.requireConsent === true
  const visitorId = isForgotten ? visitor.sessionId : fresh
  const { answer, funnel, variantId } = isForgotten ? await shownTo(ctx, project, visitor, visitorId, null) : first
  if (!funnel) return null
  const { experiment } = answer
  return {
    slug: funnel.slug,
    placement: visitor.placement,
    visitorId: isForgotten ? null : visitorId,
    experimentId: experiment?.id ?? null,
    variantId,
    record: async (tx, session) => {
      if (!experiment || variantId === null) return
      const { id, key } = experiment
      const where = { placementId: visitor.placement, country: session.country, sessionId: session.id }
      await exposeVisitor(tx, { projectId: project.id, experiment: { id, key }, variantId, visitorId, ...where })
      tx.afterCommit(() => ctx.metrics.experimentExposures.inc())
    },
  }
}
