import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { Actor } from '../../projects/audit/audit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { deleteUserRows, findAccount } from '../accounts/users'
import { ownedProjects } from '../members/memberships'

/**
 * Deletes a user with everything that belongs to the account. 409 `OWNS_PROJECTS` while the user owns projects. False
 * when there is no such user.
 */
export async function deleteUser(tx: Tx, actor: Actor, userId: string): Promise<boolean> {
  await lockUser(tx, userId)
  const account = await findAccount(tx, userId)
  if (!account) return false
  const projects = await ownedProjects(tx, userId)
  if (projects.length > 0) throw new AppError('OWNS_PROJECTS', { projects })
  for (const forget of tx.hooks.onDeleteUser ?? []) await forget(tx, userId)
  await deleteUserRows(tx, userId)
  const { email, name } = account.user
  await recordAccount(tx, actor, userId, 'user.delete', { before: { email, name } })
  return true
}
