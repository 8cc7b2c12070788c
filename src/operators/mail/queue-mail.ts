import type { Tx } from '../../base/context'
import type { Letter } from './letter'
import { insertMail } from './queries'

/**
 * Writes a mail into the outbox, in the transaction of the change that it tells of. It is sent after the commit. Returns
 * its id.
 */
export async function queueMail(tx: Tx, letter: Letter): Promise<string> {
  const id = tx.ids.next('mal')
  const now = tx.clock.now()
  await insertMail(tx, {
    id,
    kind: letter.kind,
    toAddress: letter.to,
    userId: letter.userId ?? null,
    projectId: letter.projectId ?? null,
    subject: letter.subject,
    sealed: tx.vault?.seal(JSON.stringify(letter), mailContext(id)) ?? null,
    status: 'QUEUED',
    attempts: 0,
    nextAttemptAt: now,
    expiresAt: letter.expiresAt ?? null,
    lastError: null,
    sentAt: null,
    createdAt: now,
    updatedAt: now,
  })
  return id
}

/** Part of the encrypted envelope, so that a sealed letter cannot be copied to another row. */
export const mailContext = (id: string): string => `${id}:letter`
