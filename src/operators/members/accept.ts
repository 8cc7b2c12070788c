import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import type { Actor } from '../../projects/audit/audit'
import { raiseRevisions } from '../../projects/audit/revisions'
import { type Edit, editWithin } from '../../projects/project/edit'
import { findProject, type ProjectRow } from '../../projects/project/service'
import { lockUser } from '../accounts/begin'
import { HOW_TO_PROVE } from '../accounts/prove-address'
import { findAccount, type UserRow } from '../accounts/users'
import { findInvitationByToken, type Invitation, updateInvitation } from './invitation-queries'
import { stateOf } from './invitation-state'
import { findMember } from './queries'
import { addMember } from './service'

type Found = NonNullable<Awaited<ReturnType<typeof findInvitationByToken>>>

/** An invitation and its project, for the person with the link. */
export interface Offered {
  invitation: Found
  project: ProjectRow
}

/** 404 for a token that no invitation has, and for an invitation to a project that was deleted. */
export async function findOffered(ctx: Context, token: string): Promise<Offered> {
  const invitation = await findInvitationByToken(ctx, sha256Hex(token))
  const project = invitation && (await findProject(ctx, invitation.projectId))
  if (!project) throw notFound('invitation')
  return { invitation, project }
}

/**
 * Makes the signed-in person a member with the role of the invitation. 409 when it was accepted before, 410 when it was
 * revoked or its 7 days are over, 403 when it is for another address, or the account came by the shown link of another
 * invitation.
 */
export async function acceptInvitation(ctx: Context, actor: Actor, token: string): Promise<Offered> {
  const { invitation } = await findOffered(ctx, token)
  await ctx.write((tx) => acceptIn(tx, actor, invitation.projectId, sha256Hex(token)))
  return findOffered(ctx, token)
}

/** The user is locked before the project, as in the deletion of an account. */
async function acceptIn(tx: Tx, actor: Actor, projectId: string, tokenHash: string): Promise<void> {
  await lockUser(tx, actor.id ?? '')
  const account = await findAccount(tx, actor.id ?? '')
  if (!account) throw new AppError('UNAUTHORIZED')
  await editWithin(tx, { projectId, actor }, async (edit) => {
    const invitation = await findInvitationByToken(tx, tokenHash)
    if (!invitation) throw notFound('invitation')
    refuse(invitation, account.user, edit.now)
    await join(edit, actor, invitation, account.user)
  })
}

function refuse(invitation: Found, user: UserRow, now: number): void {
  const state = stateOf(invitation, now)
  if (state === 'ACCEPTED') throw new AppError('INVITATION_ALREADY_ACCEPTED')
  if (state !== 'OPEN') {
    const message = 'This invitation was revoked or is older than 7 days; ask for another one'
    throw new AppError('HTTP_ERROR', undefined, { status: 410, message })
  }
  if (invitation.emailKey !== user.emailKey)
    throw new AppError('INVITATION_EMAIL_MISMATCH', { email: invitation.email })
  const isOwn = invitation.isByShownLink && user.admittedBy === invitation.id
  if (user.admittedBy !== null && !isOwn) throw new AppError('FORBIDDEN', undefined, { message: NOT_OWN })
}

const NOT_OWN = `This account came by a link that was shown, and accepts only the invitation of that link until its mail address is confirmed. ${HOW_TO_PROVE}`

/** A person who became a member in another way keeps their role. */
async function join(edit: Edit, actor: Actor, invitation: Invitation, user: UserRow): Promise<void> {
  const { tx, projectId, now, entries } = edit
  await updateInvitation(tx, invitation.id, {
    acceptedAt: now,
    acceptedBy: user.id,
    sealedToken: null,
    updatedAt: now,
  })
  const target = { type: 'invitation', id: invitation.id }
  if (await findMember(tx, projectId, user.id)) {
    entries.push({ action: 'invitation.accept', target, before: { state: 'OPEN' }, after: { state: 'ACCEPTED' } })
    return
  }
  const isProved = user.admittedBy === null
  await addMember(edit, user, invitation.role, {
    invitationId: invitation.id,
    ...(!isProved && { emailVerified: false }),
  })
  await raiseRevisions(tx, projectId, actor, [{ target, before: { state: 'OPEN' } }], now)
}
