import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'

/** The project in the URL of a webhook; 404 when there is none. */
export async function addressedProject(ctx: Context, projectId: string): Promise<ProjectState> {
  // No other text can be an id, and Postgres rejects some texts, such as one with a NUL character.
  const project = /^prj_[0-9a-z]{26}$/.test(projectId) ? await ctx.state.projects.find(projectId) : null
  if (!project) throw notFound('project', projectId)
  return project
}
