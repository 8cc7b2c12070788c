import type { Context } from '../../base/context'
import type { ProjectFigures } from '../../operators/platform/figures'

/** The monthly recurring revenue of each project in production, as its overview shows it. */
export async function revenueOfProjects(
  ctx: Context,
  projectIds: readonly string[],
): Promise<Map<string, ProjectFigures>> {
  const figures = new Map<string, ProjectFigures>()
  // One after the other: each reads in a thread, and other reads must get their turn.
  for (const id of projectIds) {
    const project = await ctx.state.projects.find(id)
    if (!project) continue
    const { mrr } = await ctx.state.subscriptionFigures.read(project, 'PRODUCTION')
    figures.set(id, { mrr: mrr.amountMicros })
  }
  return figures
}
