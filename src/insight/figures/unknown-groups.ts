import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { isKnownGroup } from './context-groups'
import { clearGroup, forgetSums, listGroupValues } from './group-queries'

/** Entries in one transaction, so that a receipt waits for it only a few milliseconds. */
const BATCH = 2000

/**
 * Takes texts that a device sent and that are no group of the project out of its entries, with the sums and the answers
 * that were made by them. Earlier releases recorded any text. Safe to repeat: what is known stays.
 */
export async function removeUnknownGroups(ctx: Context, project: ProjectState): Promise<void> {
  const { id: projectId } = project
  const found = await ctx.storage.readInThread((handle) => listGroupValues(handle, projectId))
  const unknown = found.filter(({ name, value }) => !isKnownGroup(project, name, value))
  for (const one of unknown) while (await ctx.write((tx) => clearGroup(tx, projectId, one, BATCH)));
  if (unknown.length > 0) await ctx.write((tx) => forgetSums(tx, projectId))
}
