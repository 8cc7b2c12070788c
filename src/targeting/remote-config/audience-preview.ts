import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { checkRules } from '../../core/audience/check'
import { compileAudience } from '../../core/rules/compile'
import type { AudienceMembers } from '../../people/directory/hooks'
import { countRows, listByDeviceKey } from '../../people/subscribers/service'
import { refuseFaults } from '../../projects/project/edit'
import { findAudience, listAudienceNames } from '../audiences/service'
import { matchingAmong } from './matching'

/** The most subscribers that are examined. */
export const MOST_EXAMINED = 2000
const MOST_SHOWN = 10

export interface AudiencePreview {
  /** Exact when all were examined; else estimated from the share of the examined ones. */
  matching: number
  total: number
  /** At most 10 of those that match. */
  sample: { id: string; deviceKey: string; appUserId: string | null }[]
  /** How many were examined: at most 2000. */
  examined: number
}

/**
 * How many subscribers of the project the rules would match now. 400 `VALIDATION_ERROR` with the place of a fault. Of
 * more than 2000 subscribers it examines 2000 in the order of their device keys, which are random, and estimates the
 * number from their share.
 */
export async function previewAudience(
  ctx: Context,
  projectId: string,
  rules: Record<string, unknown>,
): Promise<AudiencePreview> {
  refuseFaults(checkRules(rules, new Set((await listAudienceNames(ctx, projectId)).values())))
  const project = await ctx.state.projects.find(projectId)
  if (!project) throw notFound('project', projectId)
  const rows = await listByDeviceKey(ctx, projectId, MOST_EXAMINED)
  const all = rows.length < MOST_EXAMINED ? rows.length : await countRows(ctx, projectId)
  const live = rows.filter(({ mergedInto, erasedAt }) => mergedInto === null && erasedAt === null)
  const matching = await matchingAmong(ctx, project, live, compileAudience(rules))
  const shareOfAll = (count: number) => (all === 0 ? 0 : Math.round((count * all) / rows.length))
  return {
    matching: shareOfAll(matching.length),
    total: shareOfAll(live.length),
    sample: matching.slice(0, MOST_SHOWN).map(({ id, deviceKey, appUserId }) => ({ id, deviceKey, appUserId })),
    examined: live.length,
  }
}

/** The filter of lists by an audience: those of the rows that its rules match now. */
export const audienceMembers: AudienceMembers = async (ctx, project, audienceId) => {
  const audience = await findAudience(ctx, project.id, audienceId)
  if (!audience) return null
  const compiled = compileAudience(audience.rules)
  return (rows) => matchingAmong(ctx, project, rows, compiled)
}
