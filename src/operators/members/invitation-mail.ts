import type { Tx } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import type { Role } from '../../core/roles/roles'
import type { Edit } from '../../projects/project/edit'
import type { ProjectRow } from '../../projects/project/service'
import { TOKEN_LENGTH } from '../accounts/begin'
import { queueMail } from '../mail/queue-mail'
import { makeShownLink } from './shown-link'

/** The roles in the words of a mail. */
const ROLE_WORDS: Readonly<Record<Role, string>> = {
  OWNER: 'an owner',
  ADMIN: 'an administrator',
  DEVELOPER: 'a developer',
  GROWTH: 'a growth manager',
  CUSTOMER_SUPPORT: 'customer support',
}

const LIFE_MS = 7 * DAY

interface Sending {
  id: string
  email: string
  role: Role
  invitedBy: string | null
}

/**
 * Writes the mail with a new link, and where no mail server exists also makes a link that managers copy. The two have
 * different tokens: only the one of the mail proves the address. `row` is what the invitation keeps of them.
 */
export async function sendInvitation({ tx, project }: Edit, { id, email, role, invitedBy }: Sending) {
  const token = tx.ids.token(TOKEN_LENGTH)
  const expiresAt = tx.clock.now() + LIFE_MS
  const mailId = await queueInvitation(tx, { project, email, role, invitedBy, token, expiresAt })
  const { shown, link } = makeShownLink(tx, id)
  const mailStatus = tx.config.mail.smtpUrl === null ? 'KEPT' : 'QUEUED'
  return { row: { tokenHash: sha256Hex(token), mailId, expiresAt, ...shown }, mailStatus, link }
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
const queueInvitation = (
  tx: Tx,
  { project, email, role, invitedBy, token, expiresAt }: InvitationMail,
): Promise<string> =>
  queueMail(tx, {
    kind: 'invitation',
    to: email,
    projectId: project.id,
    subject: `You are invited to ${nameFor(project)}`,
    paragraphs: [
      `${invitedBy ?? 'The administrator'} invites you to the project ${nameFor(project)} as ${ROLE_WORDS[role]}.`,
      'The link works for 7 days, for this mail address only. Without an account you make one there first.',
    ],
    action: { label: 'Join the project', url: `${linkBase(tx)}/join/${token}` },
    expiresAt,
  })

const LINK_LIKE = /:\/\/|www\.|[\w-]\.[a-z]{2,}\//i

/** A mail to a stranger names a project by its slug when its name could be read as a link. */
const nameFor = ({ name, slug }: ProjectRow): string => (LINK_LIKE.test(name) ? slug : name)
