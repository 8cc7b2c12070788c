import { CommandFailure, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { findProjectByRef, listProjects, type ProjectRow } from './service'

/** The project of `--project` (slug or id); without it the only one there is. */
export async function requireProject(ctx: Context, ref: string | undefined): Promise<ProjectRow> {
  if (ref !== undefined) {
    const found = await findProjectByRef(ctx, ref)
    if (!found) throw new CommandFailure(`There is no project "${ref}"; see: svc project list`)
    return found
  }
  const [only, ...more] = await listProjects(ctx)
  if (!only) throw new CommandFailure('There is no project yet; make one with: svc project create --name NAME')
  if (more.length > 0) throw new UsageError('There are several projects; name one with --project')
  return only
}
