import { CommandFailure, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { findProjectByRef, listProjects, type ProjectRow } from './service'

/** The project that `--project` names (slug or id); without the option, the only project of the deployment. */
export async function requireProject(ctx: Context, ref: string | undefined): Promise<ProjectRow> {
  if (ref !== undefined) {
    const found = await findProjectByRef(ctx, ref)
    if (!found) throw new CommandFailure('NOT_FOUND', `There is no project "${ref}"; see: svc project list`)
    return found
  }
  const [only, ...more] = await listProjects(ctx)
  if (!only)
    throw new CommandFailure('NOT_FOUND', 'There is no project yet; make one with: svc project create --name NAME')
  if (more.length > 0) throw new UsageError('There are several projects; name one with --project')
  return only
}
