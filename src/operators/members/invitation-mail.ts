import type { Tx } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import type { Role } from '../../projects/doors/roles'
import type { ProjectRow } from '../../projects/project/service'
import { queueMail } from '../mail/queue-mail'

/** The roles in the words of a mail. */
const ROLE_WORDS: Readonly<Record<Role, string>> = {
  OWNER: 'an owner',
  ADMIN: 'an administrator',
  DEVELOPER: 'a developer',
  GROWTH: 'a growth manager',
  CUSTOMER_SUPPORT: 'customer support',
}

interface InvitationMail {
  project: ProjectRow
  email: string
  role: Role
  invitedBy: string | null
  token: string
  expiresAt: number
}

/** Writes the mail of an invitation into the outbox, and returns its id. */
export const queueInvitation = (
  tx: Tx,
  { project, email, role, invitedBy, token, expiresAt }: InvitationMail,
): Promise<string> =>
  queueMail(tx, {
    kind: 'invitation',
    to: email,
    projectId: project.id,
    subject: `You are invited to ${project.name}`,
    paragraphs: [
      `${invitedBy ?? 'The administrator'} invites you to the project ${project.name} as ${ROLE_WORDS[role]}.`,
      'The link works for 7 days, for this mail address only. Without an account you make one there first.',
    ],
    action: { label: 'Join the project', url: `${linkBase(tx)}/join/${token}` },
    expiresAt,
  })
