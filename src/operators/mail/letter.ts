import type { Vault } from '../../base/lib/crypto'
import type { MailRow } from './queries'

/** A mail before it is rendered. Text and HTML are made from the same letter. */
export interface Letter {
  /** Why it is sent, such as `password_reset`; also the kind in preferences. */
  kind: string
  to: string
  subject: string
  /** Plain text, one item a paragraph. */
  paragraphs: readonly string[]
  /** The button, with an absolute address. */
  action?: { label: string; url: string }
  /** Further buttons below it. */
  more?: readonly { label: string; url: string }[]
  /** The dashboard user it is for. */
  userId?: string | null
  /** Null for a mail about the receiver's own account: it is sent even to an address that bounced before. */
  projectId?: string | null
  /** When its link dies, in milliseconds; the stored text is blanked then. */
  expiresAt?: number | null
  /** Whether the receiver may unsubscribe from mails of this kind. Mails about signing in are not optional. */
  isOptional?: boolean
}

/** Part of the encrypted envelope, so that a sealed letter cannot be copied to another row. */
export const mailContext = (id: string): string => `${id}:letter`

export const sealLetter = (vault: Vault, id: string, letter: Letter): string =>
  vault.seal(JSON.stringify(letter), mailContext(id))

/** Null when the text was blanked, or when it was encrypted with another master key. */
export function openLetter(vault: Vault | null, { id, sealed }: Pick<MailRow, 'id' | 'sealed'>): Letter | null {
  const text = sealed === null ? null : (vault?.open(sealed, mailContext(id)) ?? null)
  return text === null ? null : (JSON.parse(text) as Letter) // What `sealLetter` has written.
}
