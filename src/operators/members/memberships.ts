import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { toIso } from '../../base/lib/time'
import { type Actor, CLI_ACTOR, SERVER_ACTOR } from '../../projects/audit/audit'
import { editWithin } from '../../projects/project/edit'
import { findProject } from '../../projects/project/service'
import { findAccount } from '../accounts/users'
import { findInvitationByToken } from './invitation-queries'
import { stateOf } from './invitation-state'
import { deleteMembershipsOf, findMember, findRole, listMembershipsOf, listUnownedProjects } from './queries'
import { addMember, endMembership, writeRole } from './service'

export const memberRole = (ctx: Context, userId: string, projectId: string) => findRole(ctx, projectId, userId)

/** The projects that a user owns. */
export async function ownedProjects(handle: Handle, userId: string): Promise<{ id: string; name: string }[]> {
  const found = await listMembershipsOf(handle, userId)
  const owned = found.filter(({ membership }) => membership.role === 'OWNER')
  return owned.map(({ membership, projectName }) => ({ id: membership.projectId, name: projectName }))
}

/** The address of an invitation. */
interface InvitedAddress {
  email: string
  /** The invitation, when its token comes from a link that was shown and proves nothing; null for the token of the mail. */
  shownBy: string | null
}

/** Whom a valid invitation token invites; null for any other token. */
export async function invitedAddress(ctx: Context, token: string): Promise<InvitedAddress | null> {
  const invitation = await findInvitationByToken(ctx, sha256Hex(token))
  if (!invitation || stateOf(invitation, ctx.clock.now()) !== 'OPEN') return null
  if (!(await findProject(ctx, invitation.projectId))) return null
  return { email: invitation.email, shownBy: invitation.isByShownLink ? invitation.id : null }
}

/** The memberships of a user, in the export of an account. */
export async function exportMemberships(ctx: Context, userId: string) {
  const found = await listMembershipsOf(ctx, userId)
  return found.map(({ membership: { projectId, role, createdAt }, projectName }) => ({
    projectId,
    projectName,
    role,
    createdAt: toIso(createdAt),
  }))
}

/**
 * Ends the memberships of a user whose account is deleted. Each is read again under the lock of its project: a user who
 * became an owner in the meantime keeps the account.
 */
export async function endMembershipsOf(tx: Tx, userId: string): Promise<void> {
  const account = await findAccount(tx, userId)
  const actor: Actor = { kind: 'USER', id: userId, email: account?.user.email ?? null }
  for (const { membership, projectName } of await listMembershipsOf(tx, userId)) {
    const { projectId } = membership
    await editWithin(tx, { projectId, actor }, async (edit) => {
      const member = await findMember(tx, projectId, userId)
      if (member?.role === 'OWNER')
        throw new AppError('OWNS_PROJECTS', { projects: [{ id: projectId, name: projectName }] })
      if (member) await endMembership(edit, member, 'leave')
    })
  }
  await deleteMembershipsOf(tx, userId)
}

/** Makes a user an owner of a project, for the command line. */
export const makeOwner = (tx: Tx, userId: string, projectId: string): Promise<void> =>
  ownAs(CLI_ACTOR, tx, userId, projectId)

async function ownAs(actor: Actor, tx: Tx, userId: string, projectId: string): Promise<void> {
  await editWithin(tx, { projectId, actor }, async (edit) => {
    const member = await findMember(tx, projectId, userId)
    const account = await findAccount(tx, userId)
    if (member && member.role !== 'OWNER') await writeRole(edit, member, 'OWNER')
    else if (!member && account) await addMember(edit, account.user, 'OWNER')
  })
}

/** Projects that the command line made before there was a user become those of the first user. */
export async function adoptProjects(tx: Tx, userId: string): Promise<void> {
  for (const projectId of await listUnownedProjects(tx)) await ownAs(SERVER_ACTOR, tx, userId, projectId)
}
