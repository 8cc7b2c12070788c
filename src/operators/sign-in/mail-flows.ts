import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { actorOf, recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { emailKey } from '../accounts/email'
import { hashPassword } from '../accounts/passwords'
import { proveAddress } from '../accounts/prove-address'
import type { MailPurpose } from '../accounts/tables'
import { type Account, findAccount, findAccountByEmail } from '../accounts/users'
import { mailPasswordReset, mailVerification } from './mail-links'
import { changePassword } from './password'
import { countMailTokens, deleteMailTokens, findMailToken, type MailTokenRow, takeMailToken } from './queries'

/** Links of one kind that work at the same time. More are not mailed: a stranger could fill the mailbox. */
const MAX_LINKS = 5

/** Mails a link to the stored address of the account. Does nothing for an unknown address. */
export const mailResetLink = (ctx: Context, email: string): Promise<void> =>
  ctx.write(async (tx) => {
    const account = await findAccountByEmail(tx, emailKey(email))
    if (account && (await mayMail(tx, account, 'PASSWORD_RESET'))) await mailPasswordReset(tx, account.user)
  })

/**
 * Mails a link again to somebody who has not confirmed their address. Where somebody uses the account without a proof,
 * the link is one with which the owner of the address chooses a password: it must not confirm the one of a stranger.
 */
export const mailVerificationLink = (ctx: Context, email: string): Promise<void> =>
  ctx.write(async (tx) => {
    const account = await findAccountByEmail(tx, emailKey(email))
    if (!account || account.user.emailVerifiedAt !== null) return
    const isUsed = account.user.admittedBy !== null
    const purpose = isUsed ? 'PASSWORD_RESET' : 'VERIFY_EMAIL'
    if (await mayMail(tx, account, purpose)) await (isUsed ? mailPasswordReset : mailVerification)(tx, account.user)
  })

/** Takes the lock of the user, so that of two requests at once the second counts the link of the first. */
async function mayMail(tx: Tx, { user }: Account, purpose: MailPurpose): Promise<boolean> {
  await lockUser(tx, user.id)
  return (await countMailTokens(tx, user.id, purpose, tx.clock.now())) < MAX_LINKS
}

/** The link proves the address. It opens no session. */
export async function resetPassword(ctx: Context, token: string, password: string): Promise<void> {
  const row = await getToken(ctx, 'PASSWORD_RESET', token)
  const passwordHash = await hashPassword(password)
  await useToken(ctx, row, async (tx, account) => {
    if (account.user.emailVerifiedAt === null) await verify(tx, account, {})
    await changePassword(tx, actorOf(account.user), account, { passwordHash, action: 'user.reset_password' })
    return true
  })
}

export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  const row = await getToken(ctx, 'VERIFY_EMAIL', token)
  await useToken(ctx, row, async (tx, account, { passwordHash }) => {
    const { user } = account
    // A link from before must not bring back a password that was not the owner's.
    if (user.emailVerifiedAt !== null || user.admittedBy !== null) return false
    await verify(tx, account, passwordHash === null ? {} : { passwordHash })
    await recordAccount(tx, actorOf(user), user.id, 'user.verify_email', { after: { emailVerified: true } })
    return true
  })
}

async function verify(tx: Tx, account: Account, more: { passwordHash?: string }): Promise<void> {
  await proveAddress(tx, account, more)
  await deleteMailTokens(tx, account.user.id, 'VERIFY_EMAIL')
}

async function getToken(ctx: Context, purpose: MailPurpose, token: string): Promise<MailTokenRow> {
  const row = await findMailToken(ctx, purpose, sha256Hex(token), ctx.clock.now())
  if (!row) throw unusable()
  return row
}

type Use = (tx: Tx, account: Account, row: MailTokenRow) => Promise<boolean>

/** One of several uses at once wins. */
async function useToken(ctx: Context, { tokenHash, purpose, userId }: MailTokenRow, use: Use): Promise<void> {
  const isDone = await ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const row = await takeMailToken(tx, purpose, tokenHash, tx.clock.now())
    const account = row && (await findAccount(tx, userId))
    return row !== null && account !== null && use(tx, account, row)
  })
  if (!isDone) throw unusable()
}

const unusable = (): AppError =>
  new AppError('UNAUTHORIZED', undefined, { message: 'This link is not valid any more; ask for another one' })
