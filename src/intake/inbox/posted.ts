import type { Context } from '../../base/context'
import { type AppError, notFound } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'

/** A request body as the store posted it. */
export interface Posted {
  bytes: Uint8Array
  contentType: string | null
  encoding: string | null
  /**
   * Who posted it: the store, or another deployment that forwards what it has got. Absent where no request is answered,
   * as when a store's history is read.
   */
  via?: 'STORE' | 'FORWARDER'
  /**
   * Counts a refusal towards the limit of the sender's address, before anything of it is stored. Throws 429 when the
   * limit is exceeded. Absent where no request is answered, as when a store's history is read.
   */
  countRefusal?: (refusal: AppError) => void
}

/** The project in the URL of a webhook; 404 when there is none. */
export async function addressedProject(ctx: Context, projectId: string): Promise<ProjectState> {
  // No other text can be an id, and Postgres rejects some texts, such as one with a NUL character.
  const project = /^prj_[0-9a-z]{26}$/.test(projectId) ? await ctx.state.projects.find(projectId) : null
  if (!project) throw notFound('project', projectId)
  return project
}
