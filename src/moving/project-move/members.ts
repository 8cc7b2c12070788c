import type { Context, Tx } from '../../base/context'
import type { Role } from '../../core/roles/roles'
import { emailKey } from '../../operators/accounts/email'
import { findAccountByEmail } from '../../operators/accounts/users'
import { findMember, insertMembership } from '../../operators/members/service'
import type { ProjectFileHeader } from './file'

export interface AddedMembers {
  /** Who is a member here too, by mail address. */
  added: string[]
  /** Who has no account with a confirmed address here, and must be invited. */
  absent: string[]
}

/**
 * Gives the members of the project their roles here, where they have an account with the same confirmed address: anybody
 * could have made an account with an address that is not theirs.
 */
export async function addMembers(ctx: Context, { project, members }: ProjectFileHeader): Promise<AddedMembers> {
  const found: AddedMembers = { added: [], absent: [] }
  for (const { email, role } of members) {
    const account = await findAccountByEmail(ctx, emailKey(email))
    const isConfirmed = account !== null && account.user.emailVerifiedAt !== null
    if (isConfirmed) await ctx.write((tx) => addMember(tx, project.id, account.user.id, role))
    found[isConfirmed ? 'added' : 'absent'].push(email)
  }
  return found
}

async function addMember(tx: Tx, projectId: string, userId: string, role: Role): Promise<void> {
  if ((await findMember(tx, projectId, userId)) !== null) return // The project was replaced.
  const now = tx.clock.now()
  await insertMembership(tx, { id: tx.ids.next('mbr'), projectId, userId, role, createdAt: now, updatedAt: now })
}
