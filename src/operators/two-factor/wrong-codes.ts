import type { Tx } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import { DAY, HOUR } from '../../base/lib/clock'
import { findAccount } from '../accounts/users'
import { hasMailSince, queueMail } from '../mail/queue-mail'
import { countAttempts } from './queries'

/** So many wrong codes in all sign-ins of about an hour are mailed to the person. */
const WORTH_A_MAIL = 5

const KIND = 'wrong_second_factor'

/**
 * Tells a person that somebody gave the right password, or came from their provider, and then wrong codes. Once a day. The
 * caller holds the lock of the user.
 */
export async function tellWrongCodes(tx: Tx, userId: string, ip: string): Promise<void> {
  const now = tx.clock.now()
  if ((await countAttempts(tx, userId, now - HOUR)) < WORTH_A_MAIL) return
  if (await hasMailSince(tx, { userId, kind: KIND, since: now - DAY })) return
  const account = await findAccount(tx, userId)
  if (!account) return
  await queueMail(tx, {
    ...{ kind: KIND, to: account.user.email, userId, subject: 'Wrong codes at your sign-in' },
    paragraphs: [
      `Somebody passed the first step of the sign-in to your account, such as your password, and then gave ${WORTH_A_MAIL} wrong codes or more. The last one came from the address ${ip}. No wrong code has opened the account.`,
      'If it was you, do nothing.',
      'If it was not you, somebody knows your password or can use your account at the provider. Choose a new password at once.',
      'This mail comes at most once in 24 hours.',
    ],
    action: { label: 'Sign in', url: `${linkBase(tx)}/sign-in` },
  })
}
