import { CommandFailure } from '../../base/cli/command'
import type { Context, Tx } from '../../base/context'
import { invalid } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { deleteUser } from '../accounts/delete-user'
import { emailKey, isEmailAddress } from '../accounts/email'
import { hashPassword } from '../accounts/passwords'
import { type Account, createUser, findAccount, findAccountByEmail, type UserRow } from '../accounts/users'
import { makeMailLink } from '../sign-in/mail-links'
import { changePassword } from '../sign-in/password'
import { closeSetup, lockSetup } from '../sign-in/setup'
import { removeTwoFactor } from '../two-factor/service'
import { listAccounts } from './queries'

export interface UserInput {
  email: string
  name: string
  /** Null = the person chooses it with a link. */
  password: string | null
  /** A project that the user becomes an owner of. */
  projectId: string | null
}

/** What the command made: the user, and the link with which they choose a password when they have none. */
export interface MadeUser {
  user: UserRow
  passwordLink: string | null
}

/** The administrator of the machine answers for the address, so it counts as verified. */
export async function addUser(ctx: Context, { email, name, password, projectId }: UserInput): Promise<MadeUser> {
  if (!isEmailAddress(email)) throw invalid('email: it must be a mail address')
  const passwordHash = password === null ? null : await hashNew(password)
  return ctx.write(async (tx) => {
    await lockSetup(tx)
    const user = await createUser(tx, { email, name, passwordHash, isVerified: true })
    if (!user) throw new CommandFailure('CONFLICT', `There is a user with the address ${email} already`)
    await closeSetup(tx)
    const after = { email, name, emailVerified: true, by: 'CLI' }
    await recordAccount(tx, CLI_ACTOR, user.id, 'user.create', { after })
    if (projectId !== null) for (const make of tx.hooks.makeOwner ?? []) await make(tx, user.id, projectId)
    return { user, passwordLink: passwordHash === null ? await linkFor(tx, user) : null }
  })
}

async function hashNew(password: string): Promise<string> {
  if (password.length < 10 || password.length > 128) throw invalid('password: it must have 10 to 128 characters')
  return hashPassword(password)
}

const linkFor = async (tx: Tx, user: UserRow): Promise<string> => (await makeMailLink(tx, user, 'PASSWORD_RESET')).url

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

/** Sets a new password, which ends all sessions; without one, makes a link with which the person chooses it. */
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
