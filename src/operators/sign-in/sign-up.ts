import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { actorOf, recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { emailKey } from '../accounts/email'
import { hashPassword } from '../accounts/passwords'
import { createUser, findAccount, findAccountByEmail, hasUsers, type UserRow, updateUser } from '../accounts/users'
import { mayMailSignUp } from './limits'
import { mailKnownAddress, mailVerification } from './mail-links'
import { deleteMailTokens, hasSetupToken, takeSetupToken } from './queries'
import { closeSetup, lockSetup } from './setup'

export interface SignUp {
  email: string
  password: string
  name: string
  setupToken?: string
  invitationToken?: string
}

/** What opens the sign-up to this person. The first two prove the address. */
type Opening = { by: 'SETUP'; tokenHash: string } | { by: 'INVITATION' } | { by: 'EVERYBODY' }

/** The answer is the same for an address that has an account and one that has none. */
export async function signUp(ctx: Context, given: SignUp): Promise<{ next: 'VERIFY_EMAIL' | 'SIGN_IN' }> {
  const opening = await openingOf(ctx, given)
  const passwordHash = await hashPassword(given.password)
  await ctx.write((tx) => (opening.by === 'SETUP' ? addFirst : addAnother)(tx, given, passwordHash, opening))
  return { next: opening.by === 'EVERYBODY' ? 'VERIFY_EMAIL' : 'SIGN_IN' }
}

async function openingOf(ctx: Context, { email, setupToken, invitationToken }: SignUp): Promise<Opening> {
  if (setupToken !== undefined) {
    const tokenHash = sha256Hex(setupToken)
    if (!(await hasSetupToken(ctx, tokenHash, ctx.clock.now()))) throw closed('This set-up link is not valid any more')
    return { by: 'SETUP', tokenHash }
  }
  if (invitationToken !== undefined) {
    const address = await invitedAddress(ctx, invitationToken)
    if (address === null || emailKey(address) !== emailKey(email))
      throw closed('This invitation is not valid any more, or it is for another address')
    return { by: 'INVITATION' }
  }
  if (!ctx.config.isSignupOpen) throw closed('Accounts are made by invitation here')
  return { by: 'EVERYBODY' }
}

async function invitedAddress(ctx: Context, token: string): Promise<string | null> {
  for (const addressOf of ctx.hooks.invitedAddress ?? []) {
    const address = await addressOf(ctx, token)
    if (address !== null) return address
  }
  return null
}

const closed = (message: string): AppError => new AppError('FORBIDDEN', undefined, { message })

type Add = (tx: Tx, given: SignUp, passwordHash: string, opening: Opening) => Promise<void>

/** One person wins, with whichever link, and owns what the command line has made before. */
const addFirst: Add = async (tx, given, passwordHash, opening) => {
  await lockSetup(tx)
  const isValid = opening.by === 'SETUP' && (await takeSetupToken(tx, opening.tokenHash, tx.clock.now()))
  if (!isValid || (await hasUsers(tx))) throw closed('This set-up link is not valid any more')
  await closeSetup(tx)
  const user = await createUser(tx, { ...given, passwordHash, isVerified: true })
  if (!user) return
  await recordSignUp(tx, user, 'SETUP')
  for (const adopt of tx.hooks.adoptProjects ?? []) await adopt(tx, user.id)
}

const addAnother: Add = async (tx, given, passwordHash, { by }) => {
  const isVerified = by === 'INVITATION'
  const made = await createUser(tx, { ...given, passwordHash, isVerified })
  if (made) {
    await recordSignUp(tx, made, by)
    if (!isVerified) await mailVerification(tx, made)
    return
  }
  const known = await findAccountByEmail(tx, emailKey(given.email))
  if (!known) return
  await lockUser(tx, known.user.id)
  const account = await findAccount(tx, known.user.id)
  if (!account) return
  if (account.user.emailVerifiedAt === null) await replaceUnverified(tx, account.user, given, passwordHash, isVerified)
  else if (!isVerified && mayMailSignUp(tx, account.user.id)) await mailKnownAddress(tx, account.user)
}

/**
 * Nobody could sign in to such an account, so a stranger may have made it for an address that is not theirs. The newest
 * sign-up decides, and each mailed link confirms only the password of its own sign-up.
 */
async function replaceUnverified(
  tx: Tx,
  user: UserRow,
  { name }: SignUp,
  passwordHash: string,
  isVerified: boolean,
): Promise<void> {
  const now = tx.clock.now()
  const set = { name, passwordHash, emailVerifiedAt: isVerified ? now : null, updatedAt: now }
  await updateUser(tx, user.id, set)
  if (isVerified) await deleteMailTokens(tx, user.id, 'VERIFY_EMAIL')
  else if (mayMailSignUp(tx, user.id)) await mailVerification(tx, { ...user, ...set })
  await recordSignUp(tx, { ...user, ...set }, isVerified ? 'INVITATION' : 'EVERYBODY')
}

const recordSignUp = (tx: Tx, user: UserRow, by: Opening['by']): Promise<void> =>
  recordAccount(tx, actorOf(user), user.id, 'user.sign_up', {
    after: { email: user.email, name: user.name, emailVerified: user.emailVerifiedAt !== null, by },
  })
