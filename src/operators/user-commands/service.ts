import { CommandFailure } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { emailKey } from '../accounts/email'
import { proveAddress } from '../accounts/prove-address'
import { type Account, findAccount, findAccountByEmail } from '../accounts/users'
import { deleteUser } from '../own-account/delete-user'
import { changePassword } from '../sign-in/password'
import { removeTwoFactor } from '../two-factor/service'
import { hashNew, linkFor } from './password'
import { listAccounts } from './queries'

/** A user by id or mail address. */
export async function requireUser(ctx: Context, reference: string): Promise<Account> {
  const account = reference.startsWith('usr_')
    ? await findAccount(ctx, reference)
    : await findAccountByEmail(ctx, emailKey(reference))
  if (!account) throw unknown(reference)
  return account
}

const unknown = (reference: string): CommandFailure =>
  new CommandFailure('NOT_FOUND', `There is no user "${reference}"; see: svc user list`)

export const listUsers = (ctx: Context): Promise<Account[]> => listAccounts(ctx)

/**
 * Sets a new password, which ends all sessions; without one, makes a link with which the person chooses it. Both prove
 * the address: the administrator gives the account to its person.
 */
export async function resetUserPassword(
  ctx: Context,
  { user: { id, email } }: Account,
  password: string | null,
): Promise<string | null> {
  const passwordHash = password === null ? null : await hashNew(password)
  return ctx.write(async (tx) => {
    await lockUser(tx, id)
    const account = await findAccount(tx, id)
    if (!account) throw unknown(email)
    if (passwordHash === null) {
      await recordAccount(tx, CLI_ACTOR, id, 'user.reset_link')
      return linkFor(tx, account.user)
    }
    if (account.user.emailVerifiedAt === null) await proveAddress(tx, account, {})
    await changePassword(tx, CLI_ACTOR, account, { passwordHash, action: 'user.reset_password' })
    return null
  })
}

export async function disableUserTwoFactor(ctx: Context, { user }: Account): Promise<void> {
  if (await removeTwoFactor(ctx, CLI_ACTOR, user.id)) return
  throw new CommandFailure('CONFLICT', `${user.email} signs in without a second factor already`)
}

export async function removeUser(ctx: Context, { user }: Account): Promise<void> {
  if (!(await ctx.write((tx) => deleteUser(tx, CLI_ACTOR, user.id)))) throw unknown(user.email)
}

export const toUserView = ({ user, hasTwoFactor }: Account) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  emailVerified: user.emailVerifiedAt !== null,
  twoFactorEnabled: hasTwoFactor,
  hasPassword: user.passwordHash !== null,
  createdAt: toIso(user.createdAt),
})
