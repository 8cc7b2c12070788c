import type { Tx } from '../../base/context'
import { type Letter, sealLetter } from './letter'
import { insertMail } from './queries'

export { mailContext } from './letter'
export { hasMailSince } from './queries'

/**
 * Writes a mail into the outbox, in the transaction of the change that it tells of. It is sent after the commit. Without
 * a mail server it is kept for a person to read on the machine of the server. Returns its id.
 */
export async function queueMail(tx: Tx, written: Letter): Promise<string> {
  const letter = withReach(tx, written)
  const id = tx.ids.next('mal')
  const now = tx.clock.now()
  const isSent = tx.config.mail.smtpUrl !== null
  await insertMail(tx, {
    id,
    kind: letter.kind,
    toAddress: letter.to,
    userId: letter.userId ?? null,
    projectId: letter.projectId ?? null,
    subject: letter.subject,
    sealed: tx.vault && sealLetter(tx.vault, id, letter),
    status: isSent ? 'QUEUED' : 'KEPT',
    attempts: 0,
    nextAttemptAt: isSent ? now : null,
    expiresAt: letter.expiresAt ?? null,
    lastError: null,
    sentAt: null,
    createdAt: now,
    updatedAt: now,
  })
  tx.afterCommit(() => {
    if (!isSent || !tx.vault) logMail(tx, id, letter)
    if (!tx.vault) tx.state.mailer.hold(id, letter)
    tx.state.mailer.wake()
  })
  return id
}

/** Without its public address the server only knows a link for its own machine. */
function withReach({ config }: Tx, letter: Letter): Letter {
  if (config.publicBaseUrl !== null || !letter.action) return letter
  return { ...letter, paragraphs: [...letter.paragraphs, LOCAL_ONLY] }
}

export const LOCAL_ONLY =
  'The link opens only on the machine of the server, because the public address of the server (PUBLIC_BASE_URL) is not set.'

/**
 * For the person who runs the server. A notice has no link that could be needed to come in. More people read a log than
 * run a server, so the link itself is there only when no other place has it.
 */
function logMail({ log, vault, config }: Tx, id: string, { kind, action, isOptional = false }: Letter): void {
  if (isOptional || !action) return
  const why = config.mail.smtpUrl === null ? 'no mail server is configured (SVC_SMTP_URL)' : 'there is no master key'
  const where = vault
    ? 'svc outbox shows it with its link'
    : 'its text is only in this line and in the memory of this process'
  log.warn(`a mail was written, but ${why}; ${where}`, { mail: id, kind, ...(vault ? {} : { link: action.url }) })
}
