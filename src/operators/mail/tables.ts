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
      /** The dashboard user it is for; null = a person without an account. */
      userId: k.str(),
      projectId: k.str(),
      subject: k.str().notNull(),
      /**
       * The letter, encrypted with the master key because it may hold a link that opens something; null once blanked.
       */
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
    (t) => [
      k.index('mails_due').on(t.status, t.nextAttemptAt),
      k.index('mails_expiry').on(t.expiresAt),
      k.index('mails_age').on(t.createdAt),
    ],
  ),
  /** Addresses that get no mail, or only some. The address itself is not stored. */
  mailSuppressions: k.table(
    'mail_suppressions',
    {
      /** SHA-256 in hex of the address in lower case. */
      addressHash: k.str().notNull(),
      reason: k.str().notNull().$type<SuppressionReason>(),
      createdAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.addressHash, t.reason] })],
  ),
})

/** `KEPT`: no mail server is configured, so the mail waits for a person to read it. */
export const MAIL_STATUSES = ['QUEUED', 'SENT', 'KEPT', 'FAILED', 'SUPPRESSED'] as const

export type MailStatus = (typeof MAIL_STATUSES)[number]

/** `BOUNCED`: the address does not exist. The others: its owner wants no optional mail. */
export type SuppressionReason = 'UNSUBSCRIBED' | 'COMPLAINED' | 'BOUNCED'

type MailTables = ReturnType<typeof mailTables>

declare module '../../base/db/tables' {
  interface Tables extends MailTables {}
}
