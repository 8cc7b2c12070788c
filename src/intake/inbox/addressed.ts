import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'

/** The project that a webhook's address names; 404 when there is none. */
export async function addressedProject(ctx: Context, projectId: string): Promise<ProjectState> {
  // No other text can be an id, and Postgres takes not every text.
  const project = /^prj_[0-9a-z]{26}$/.test(projectId) ? await ctx.state.projects.find(projectId) : null
  if (!project) throw notFound()
  return project
}
