import type { Tx } from '../../base/context'
import type { Letter } from './letter'
import { insertMail } from './queries'
import { sealLetter } from './sealed-letter'

export { hasMailSince } from './queries'
export { mailContext } from './sealed-letter'

/**
 * Writes a mail into the outbox, in the transaction of the change that it tells of. It is sent after the commit. Without
 * a mail server it is kept for a person to read, and its link is in the log. Returns its id.
 */
export async function queueMail(tx: Tx, letter: Letter): Promise<string> {
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
    if (!isSent || !tx.vault) logLink(tx, id, letter)
    if (!tx.vault) tx.state.mailer.hold(id, letter)
    tx.state.mailer.wake()
  })
  return id
}

/** For the person who runs the server. A notice has no link that could be needed to come in. */
function logLink({ log, vault, config }: Tx, id: string, { kind, action, isOptional = false }: Letter): void {
  if (isOptional || !action) return
  const why = config.mail.smtpUrl === null ? 'no mail server is configured (SVC_SMTP_URL)' : 'there is no master key'
  const where = vault ? 'it is in svc outbox' : 'its text is only in this line and in the memory of this process'
  log.warn(`a mail was written, but ${why}; ${where}`, { mail: id, kind, link: action.url })
}
