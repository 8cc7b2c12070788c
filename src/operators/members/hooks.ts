import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { ROLES, type Role } from '../../core/roles/roles'
import type { Actor } from '../../projects/audit/audit'
import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { lockUser } from '../accounts/begin'
import { HOW_TO_PROVE } from '../accounts/prove-address'
import { findAccount } from '../accounts/users'
import { listMembersOf } from './queries'
import { insertMember } from './service'

/** Whom a notice about the project reaches. */
export async function peopleOf(handle: Handle, projectId: string, roles: readonly Role[]) {
  const members = await listMembersOf(handle, projectId, roles)
  return members.map(({ userId, email, isProved }) => ({ userId, email, isProved }))
}

/**
 * The creator of a project owns it. A project that the command line creates has no member yet. 403 for a guest who came
 * by a link that was shown: the account has what its invitation gave, and nothing else.
 */
export async function makeCreatorOwner(tx: Tx, projectId: string, { kind, id }: Actor): Promise<void> {
  if (kind !== 'USER' || id === null) return
  await lockUser(tx, id)
  const account = await findAccount(tx, id)
  if (!account) throw new AppError('UNAUTHORIZED')
  if (account.user.admittedBy !== null) throw new AppError('FORBIDDEN', undefined, { message: NO_PROJECTS })
  await insertMember(tx, projectId, id, 'OWNER')
}

const NO_PROJECTS = `A project belongs to somebody whose mail address is confirmed. ${HOW_TO_PROVE}`

/** Members by e-mail address and by name; their id is that of their account. */
export const searchMembers: SearchObjects = async (ctx, { id: projectId }, text, limit) => {
  const members = await listMembersOf(ctx, projectId, ROLES)
  const named = members.map(({ userId, email, name, role }) => ({
    id: userId,
    title: name === '' ? email : name,
    subtitle: name === '' ? role : `${email} ${role}`,
    names: [email, name],
  }))
  return findNamed('member', named, text, limit)
}
