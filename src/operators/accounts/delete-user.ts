import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { Actor } from '../../projects/audit/audit'
import { recordAccount } from './audit-entry'
import { lockUser } from './begin'
import { deleteUserRows, findAccount } from './queries'

/**
 * Deletes a user with everything that belongs to the account. 409 `OWNS_PROJECTS` while the user owns projects. False
 * when there is no such user.
 */
export async function deleteUser(tx: Tx, actor: Actor, userId: string): Promise<boolean> {
  await lockUser(tx, userId)
  const account = await findAccount(tx, userId)
  if (!account) return false
  const projects = []
  for (const ownedBy of tx.hooks.ownedProjects ?? []) projects.push(...(await ownedBy(tx, userId)))
  if (projects.length > 0) throw new AppError('OWNS_PROJECTS', { projects })
  for (const forget of tx.hooks.onDeleteUser ?? []) await forget(tx, userId)
  await deleteUserRows(tx, userId)
  const { email, name } = account.user
  await recordAccount(tx, actor, userId, 'user.delete', { before: { email, name } })
  return true
}
