/** A mail before it is rendered. Text and HTML are made from the same letter. */
export interface Letter {
  /** Why it is sent, such as `password_reset`; also the kind in preferences. */
  kind: string
  to: string
  subject: string
  /** Plain text, one item a paragraph. */
  paragraphs: readonly string[]
  /** The one button, with an absolute address. */
  action?: { label: string; url: string }
  /** The dashboard user it is for. */
  userId?: string | null
  /** Null for a mail about the receiver's own account: it is sent even to an address that bounced before. */
  projectId?: string | null
  /** When its link dies, in milliseconds; the stored text is blanked then. */
  expiresAt?: number | null
  /** Whether the receiver may unsubscribe from mails of this kind. Mails about signing in are not optional. */
  isOptional?: boolean
}
