import type { Kit } from '../../base/db/kit'

export const mailTables = (k: Kit) => ({
  /** The outbox: every mail that was written, sent or not. */
  mails: k.table(
    'mails',
    {
      id: k.str().primaryKey(),
      /** Why it was written, such as `password_reset`. */
      kind: k.str().notNull(),
      toAddress: k.str().notNull(),
      /** The dashboard user it is for; null = somebody without an account. */
      userId: k.str(),
      projectId: k.str(),
      subject: k.str().notNull(),
      /** The letter, encrypted with the master key because it may hold a link that opens something; null once blanked. */
      sealed: k.str(),
      status: k.str().notNull().$type<MailStatus>(),
      attempts: k.int().notNull(),
      /** When the next attempt to send it is due; null = none. */
      nextAttemptAt: k.int(),
      /** From then on its links open nothing, and its text is blanked; null = never. */
      expiresAt: k.int(),
      lastError: k.str(),
      sentAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.index('mails_due').on(t.status, t.nextAttemptAt), k.index('mails_expiry').on(t.expiresAt)],
  ),
})

/** `KEPT`: no mail server is configured, so the mail waits for a person to read it. */
export type MailStatus = 'QUEUED' | 'SENT' | 'KEPT' | 'FAILED' | 'SUPPRESSED'

type MailTables = ReturnType<typeof mailTables>

declare module '../../base/db/tables' {
  interface Tables extends MailTables {}
}
