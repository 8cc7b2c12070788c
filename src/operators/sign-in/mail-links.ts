import type { Tx } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import { DAY, HOUR } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { TOKEN_LENGTH } from '../accounts/begin'
import type { MailPurpose } from '../accounts/tables'
import type { UserRow } from '../accounts/users'
import { queueMail } from '../mail/queue-mail'
import { insertMailToken } from './queries'

const LIFE_MS: Readonly<Record<MailPurpose, number>> = { VERIFY_EMAIL: DAY, PASSWORD_RESET: HOUR }
const SCREEN: Readonly<Record<MailPurpose, string>> = { VERIFY_EMAIL: 'verify-email', PASSWORD_RESET: 'reset-password' }

/** Makes a link that works once. It always belongs to the address that is stored for the user. */
export async function makeMailLink(tx: Tx, user: UserRow, purpose: MailPurpose) {
  const token = tx.ids.token(TOKEN_LENGTH)
  const expiresAt = tx.clock.now() + LIFE_MS[purpose]
  const passwordHash = purpose === 'VERIFY_EMAIL' ? user.passwordHash : null
  const row = { tokenHash: sha256Hex(token), purpose, userId: user.id, email: user.email, passwordHash, expiresAt }
  await insertMailToken(tx, row)
  return { url: `${linkBase(tx)}/${SCREEN[purpose]}/${token}`, expiresAt }
}

export async function mailVerification(tx: Tx, user: UserRow): Promise<void> {
  const { url, expiresAt } = await makeMailLink(tx, user, 'VERIFY_EMAIL')
  await queueMail(tx, {
    kind: 'verify_email',
    to: user.email,
    userId: user.id,
    subject: 'Confirm your mail address',
    paragraphs: [
      'Somebody made an account with this mail address. If it was you, confirm the address within 24 hours.',
      'If it was not you, do nothing: without the confirmation nobody can sign in to the account.',
    ],
    action: { label: 'Confirm the address', url },
    expiresAt,
  })
}

/** Mails the owner of an account that a sign-up with its address was tried. */
export async function mailKnownAddress(tx: Tx, user: UserRow): Promise<void> {
  await queueMail(tx, {
    kind: 'sign_up_again',
    to: user.email,
    userId: user.id,
    subject: 'You have an account already',
    paragraphs: [
      'Somebody tried to make an account with this mail address, but there is one already. Nothing was changed.',
      'If it was you, sign in. If you do not know the password, ask for a new one there.',
    ],
    action: { label: 'Sign in', url: `${linkBase(tx)}/sign-in` },
  })
}

const RESET = [
  'Somebody asked for a new password for your account. If it was you, choose it within one hour.',
  'All sessions of the account end then. Its personal access tokens keep working: delete those you do not trust.',
  'If it was not you, do nothing: your password stays as it is.',
]

/** For an account that a shown invitation link admitted: perhaps its owner reads of it for the first time. */
const CLAIM = [
  'Somebody uses an account with this mail address, and has not shown that the address is theirs. Choose a password within one hour, and the account is yours.',
  'Its sessions end then, and its personal access tokens, passkeys and linked providers are deleted: only you can sign in.',
  'If you do not know of such an account, you can do nothing, or take it over in this way.',
]

export async function mailPasswordReset(tx: Tx, user: UserRow): Promise<void> {
  const { url, expiresAt } = await makeMailLink(tx, user, 'PASSWORD_RESET')
  await queueMail(tx, {
    kind: 'password_reset',
    to: user.email,
    userId: user.id,
    subject: 'Choose a new password',
    paragraphs: user.admittedBy === null ? RESET : CLAIM,
    action: { label: 'Choose a password', url },
    expiresAt,
  })
}

/** Tells the owner that the password was changed. */
export async function mailPasswordChanged(tx: Tx, user: UserRow): Promise<void> {
  await queueMail(tx, {
    kind: 'password_changed',
    to: user.email,
    userId: user.id,
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed, and its other sessions have ended.',
      user.admittedBy === null
        ? 'Personal access tokens keep working: delete those you do not trust.'
        : 'Whoever used the account before cannot sign in any more.',
      'If it was not you, choose a new password at once.',
    ],
    action: { label: 'Sign in', url: `${linkBase(tx)}/sign-in` },
  })
}
