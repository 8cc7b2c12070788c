import type { Context } from '../../../base/context'
import { notFound } from '../../../base/errors'
import { conflict, editProject, type ProjectActor, refuseFaults } from '../../../projects/project/edit'
import { DEFAULT_FIXED } from '../check'
import { findAudience } from '../service'
import { readMembers } from './group'
import { hashMembers, listGroups, writeMembers } from './service'

export interface MembersView {
  audienceId: string
  members: number
}

/** Replaces the list of ids of an audience. 400 names the line that is wrong; 409 `CONFLICT` for the default audience. */
export async function replaceMembers(ctx: Context, by: ProjectActor, id: string, text: string): Promise<MembersView> {
  const ids = readMembers(text)
  if (typeof ids === 'string') {
    refuseFaults([{ path: 'members', message: `members ${ids}` }])
    throw new Error('a fault was not refused')
  }
  const hashes = await hashMembers(ctx, by.projectId, ids)
  return editProject(ctx, by, async ({ tx, projectId, entries }) => {
    const row = await findAudience(tx, projectId, id)
    if (!row) throw notFound('audience', id)
    if (row.isDefault) throw conflict(DEFAULT_FIXED)
    const before = (await listGroups(tx, projectId)).get(id)?.size ?? 0
    await writeMembers(tx, projectId, id, { hashes, size: ids.length })
    const target = { type: 'audience', id }
    // The log holds counts only: it outlives the people whose ids were in the list.
    entries.push({ action: 'audience.members', target, before: { members: before }, after: { members: ids.length } })
    return { audienceId: id, members: ids.length }
  })
}
