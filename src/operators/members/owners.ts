import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { hasCapability } from '../../core/roles/roles'
import type { Actor } from '../../projects/audit/audit'
import { conflict, type Edit } from '../../projects/project/edit'
import { HOW_TO_PROVE } from '../accounts/prove-address'
import { findAccount } from '../accounts/users'
import { countOtherOwners, findRole, type MembershipRow } from './queries'

/**
 * Only an owner gives or takes the role OWNER. The role is read again under the lock of the project, because it may
 * have been taken from the actor since the request started. The command line may do it too. An owner who came by a link
 * that was shown has not proved who they are, and could otherwise take the project from those who have.
 */
export async function requireOwner({ tx, projectId }: Edit, actor: Actor): Promise<void> {
  if (actor.kind !== 'USER') return
  const role = actor.id === null ? null : await findRole(tx, projectId, actor.id)
  if (role !== 'OWNER') throw new AppError('ROLE_REQUIRED', { role, requiredRole: 'OWNER' })
  if (!(await isProved(tx, actor.id))) throw new AppError('FORBIDDEN', undefined, { message: UNPROVED_ACTOR })
}

const UNPROVED_ACTOR = `Only owners whose mail address is confirmed change who owns the project. ${HOW_TO_PROVE}`

/** As `requireOwner`, without a refusal. */
export const isProvedOwner = async (handle: Handle, projectId: string, { id }: Actor): Promise<boolean> =>
  id !== null && (await findRole(handle, projectId, id)) === 'OWNER' && (await isProved(handle, id))

/**
 * 409 `CONFLICT` for a person whose address nothing has proved, and who therefore gets no more than their invitation
 * gave.
 */
export async function refuseUnproved({ tx }: Edit, userId: string): Promise<void> {
  if (!(await isProved(tx, userId))) throw conflict(UNPROVED)
}

const UNPROVED = `The mail address of this person is not confirmed: they came by a link that was shown, not mailed. ${HOW_TO_PROVE}`

const isProved = async (handle: Handle, userId: string | null): Promise<boolean> =>
  userId !== null && (await findAccount(handle, userId))?.user.admittedBy === null

/**
 * Only who may manage members does it. As in `requireOwner`, the role is read again: a member who was removed a moment
 * ago must not keep access.
 */
export async function requireManager({ tx, projectId }: Edit, actor: Actor): Promise<void> {
  if (actor.kind !== 'USER') return
  const role = actor.id === null ? null : await findRole(tx, projectId, actor.id)
  if (role === null || !hasCapability(role, CAPABILITY))
    throw new AppError('CAPABILITY_REQUIRED', { role, capability: CAPABILITY })
}

const CAPABILITY = 'members:manage'

/** 409 `CONFLICT` when the project would be left without an owner. Called under the lock of the project. */
export async function refuseLastOwner({ tx, projectId }: Edit, { role, userId }: MembershipRow): Promise<void> {
  if (role !== 'OWNER' || (await countOtherOwners(tx, projectId, userId)) > 0) return
  throw conflict('This is the last owner of the project; make somebody else an owner first')
}
