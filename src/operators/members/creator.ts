import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { Actor } from '../../projects/audit/audit'
import { lockUser } from '../accounts/begin'
import { HOW_TO_PROVE } from '../accounts/prove-address'
import { findAccount } from '../accounts/users'
import { insertMember } from './service'

/**
 * Whoever creates a project owns it. A project that the command line creates has no member yet. 403 for a guest who came
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
