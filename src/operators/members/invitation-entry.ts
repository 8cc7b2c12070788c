import { toIso } from '../../base/lib/time'
import type { AuditEntry } from '../../projects/audit/audit'
import type { Edit } from '../../projects/project/edit'
import type { Invitation } from './invitation-queries'
import { stateOf } from './invitation-state'

/** The audit entry of an invitation, without its tokens. With a link, the actor was shown it. */
export const invitationEntry = (
  { now }: Edit,
  verb: string,
  before: Invitation | null,
  after: Invitation,
  link: string | null = null,
): AuditEntry => ({
  action: `invitation.${verb}`,
  target: { type: 'invitation', id: after.id },
  before: before && invitationState(before, now),
  after: { ...invitationState(after, now), ...(link !== null && { linkShown: true }) },
})

const invitationState = (invitation: Invitation, now: number) => ({
  email: invitation.email,
  role: invitation.role,
  state: stateOf(invitation, now),
  expiresAt: toIso(invitation.expiresAt),
})
