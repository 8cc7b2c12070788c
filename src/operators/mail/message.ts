import type { Config } from '../../base/config'
import type { Mac } from '../../base/lib/mac'
import type { Letter } from './letter'
import { renderLetter } from './render'
import { unsubscribeUrl } from './unsubscribe-token'

/** A mail as the mail library takes it. */
export interface Message {
  from: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
  date: Date
  headers: Record<string, string>
}

interface MessageParts {
  config: Pick<Config, 'mail' | 'publicBaseUrl'>
  mac: Mac
  /** Whether signatures are still valid after a restart. */
  isSigning: boolean
}

/**
 * The mail of one row of the outbox. The Message-ID is made of the row's id, so that a mail that was sent twice is
 * recognised as one.
 */
export function toMessage(
  { config, mac, isSigning }: MessageParts,
  { id, createdAt }: { id: string; createdAt: number },
  letter: Letter,
): Message {
  const from = senderOf(config)
  const leave = letter.isOptional && isSigning ? unsubscribeUrl(config.publicBaseUrl, mac, letter.to) : null
  return {
    from,
    to: { name: '', address: letter.to },
    ...renderLetter(letter, leave),
    messageId: `<${id}@${domainOf(from)}>`,
    date: new Date(createdAt),
    headers: { 'Auto-Submitted': 'auto-generated', ...(leave !== null && leaveHeaders(leave)) },
  }
}

/** RFC 2369 and RFC 8058: mail programs show a button that sends one POST. */
const leaveHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** The address that mail is sent from. */
export const senderOf = ({ mail, publicBaseUrl }: Pick<Config, 'mail' | 'publicBaseUrl'>): string =>
  mail.from ?? `svc@${URL.parse(publicBaseUrl ?? '')?.hostname ?? 'localhost'}`

const domainOf = (from: string): string => /@([^\s<>"@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
