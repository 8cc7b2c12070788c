import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { isKnownGroup } from './context-groups'
import { clearGroup, forgetSums, listGroupValues } from './group-queries'

/** Entries in one transaction, so that a receipt waits for it only a few milliseconds. */
const BATCH = 2000

/**
 * Earlier releases recorded any text that a device sent as a group. Removes those that are no group of the project from
 * its entries, sums and saved answers. Safe to repeat.
 */
export async function removeUnknownGroups(ctx: Context, project: ProjectState): Promise<void> {
  const { id: projectId } = project
  const found = await ctx.storage.readInThread((handle) => listGroupValues(handle, projectId))
  const unknown = found.filter(({ name, value }) => !isKnownGroup(project, name, value))
  for (const one of unknown) while (await ctx.write((tx) => clearGroup(tx, projectId, one, BATCH)));
  if (unknown.length > 0) await ctx.write((tx) => forgetSums(tx, projectId))
}
