/** What is known of a failed attempt to send. The members are those of the errors of the mail library. */
export interface SmtpFailure {
  /** The step: `CONN`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`; `API` = refused before anything was sent. */
  command?: string | undefined
  responseCode?: number | undefined
  response?: string | undefined
  message?: string | undefined
}

/**
 * `refused`: this mail is never accepted. `unknown_address`: nor is any other mail to the address. `later`: this mail is
 * not accepted now. `down`: no mail can be sent now.
 */
export type SmtpVerdict = 'refused' | 'unknown_address' | 'later' | 'down'

/**
 * What a failure means. Only an answer about the recipient or the text counts against a mail. A refused sender or
 * password is a mistake of the configuration, and no mail is lost for it.
 */
export function judgeFailure({
  command = '',
  responseCode = 0,
  response = '',
  message = '',
}: SmtpFailure): SmtpVerdict {
  if (command === 'API') return message.startsWith('Invalid recipient') ? 'refused' : 'down'
  if (command !== 'RCPT TO' && command !== 'DATA') return 'down'
  if (responseCode === 421 || responseCode < 400) return 'down' // 421: the server ends the session.
  if (responseCode < 500) return 'later'
  return command === 'RCPT TO' && UNKNOWN.test(response) ? 'unknown_address' : 'refused'
}

// RFC 3463: 5.1.1 no such mailbox, 5.1.2 no such domain, 5.1.3 not an address, 5.1.6 moved, 5.1.10 takes no mail. A bare
// 550 may also be a rule against the sender.
const UNKNOWN = /^5\d\d[ -]5\.1\.(1|2|3|6|10)\b/
