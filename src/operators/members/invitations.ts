import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import type { Role } from '../../core/roles/roles'
import { requireRevision } from '../../projects/audit/revisions'
import { type Edit, editProject } from '../../projects/project/edit'
import { emailKey } from '../accounts/email'
import { isSuppressed } from '../mail/suppression'
import { invitationEntry } from './invitation-entry'
import { refuseFlood, refuseHaste, refuseInvitation, withMailPlace } from './invitation-limits'
import { sendInvitation } from './invitation-mail'
import { findInvitation, type Invitation, insertInvitation, updateInvitation } from './invitation-queries'
import { stateOf } from './invitation-state'
import { requireManager, requireOwner } from './owners'
import type { MemberEditor } from './service'

export { type Invitation, pageInvitations } from './invitation-queries'

/** An invitation that was just sent. `link`: what managers copy where no mail server exists, else null. */
export interface Sent {
  invitation: Invitation
  link: string | null
}

/**
 * Invites a person by mail. The link in the mail is the only place of its token; the database keeps its hash. Nothing
 * here tells whether the address has an account.
 */
export const invite = (ctx: Context, by: MemberEditor, email: string, role: Role): Promise<Sent> =>
  withMailPlace(ctx, by.actor, (place) =>
    editProject(ctx, by, async (edit) => {
      const { tx, projectId, now } = edit
      await requireManager(edit, by.actor)
      if (role === 'OWNER') await requireOwner(edit, by.actor)
      await refuseInvitation(edit, email)
      await refuseFlood(edit, email, place)
      const id = tx.ids.next('inv')
      const { row: sent, mailStatus, link } = await sendInvitation(edit, { id, email, role, invitedBy: by.actor.email })
      const row = {
        id,
        projectId,
        email,
        emailKey: emailKey(email),
        role,
        ...sent,
        ...NEVER,
        createdAt: now,
        updatedAt: now,
      }
      await insertInvitation(tx, row)
      const made = { ...row, mailStatus }
      edit.entries.push(invitationEntry(edit, 'create', null, made, link))
      return { invitation: made, link }
    }),
  )

const NEVER = { acceptedAt: null, acceptedBy: null, revokedAt: null }

/**
 * Sends an invitation again, with a new link for 7 days; the link before stops working. 409 `INVITATION_NOT_SENDABLE`
 * when it was accepted or revoked (`closed`), or when mail to the address is held back (`suppressed`). Only an owner
 * sends an invitation to become an owner, because that gives it 7 new days. 429 when mails follow too fast on each other.
 */
export const resendInvitation = (ctx: Context, by: MemberEditor, id: string): Promise<Sent> =>
  withMailPlace(ctx, by.actor, (place) =>
    editProject(ctx, by, async (edit) => {
      await requireManager(edit, by.actor)
      const before = await requireInvitation(edit, id, by.expected)
      const state = stateOf(before, edit.now)
      if (state === 'ACCEPTED' || state === 'REVOKED') throw notSendable('closed')
      if (await isSuppressed(edit.tx, { to: before.email, projectId: edit.projectId })) throw notSendable('suppressed')
      if (before.role === 'OWNER') await requireOwner(edit, by.actor)
      await refuseHaste(edit, before)
      await refuseFlood(edit, before.email, place)
      const { row: sent, mailStatus, link } = await sendInvitation(edit, { ...before, invitedBy: by.actor.email })
      await updateInvitation(edit.tx, id, { ...sent, updatedAt: edit.now })
      const after = { ...before, ...sent, mailStatus, updatedAt: edit.now }
      edit.entries.push(invitationEntry(edit, 'resend', before, after, link))
      return { invitation: after, link }
    }),
  )

const notSendable = (reason: 'closed' | 'suppressed'): AppError => new AppError('INVITATION_NOT_SENDABLE', { reason })

/** Revokes an invitation: its link stops working. 404 when that was done already. */
export const revokeInvitation = (ctx: Context, by: MemberEditor, id: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    await requireManager(edit, by.actor)
    const before = await requireInvitation(edit, id, by.expected)
    if (before.revokedAt !== null) throw notFound('open invitation', id)
    if (before.acceptedAt !== null) throw new AppError('INVITATION_ALREADY_ACCEPTED')
    const closed = { revokedAt: edit.now, updatedAt: edit.now, sealedToken: null }
    const after = { ...before, ...closed }
    await updateInvitation(edit.tx, id, closed)
    edit.entries.push(invitationEntry(edit, 'revoke', before, after))
  })

async function requireInvitation(
  { tx, projectId }: Edit,
  id: string,
  expected: number | null = null,
): Promise<Invitation> {
  const found = await findInvitation(tx, projectId, id)
  if (!found) throw notFound('open invitation', id)
  await requireRevision(tx, projectId, id, expected)
  return found
}
