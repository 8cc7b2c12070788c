import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { actorOf, recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { emailKey } from '../accounts/email'
import { hashPassword } from '../accounts/passwords'
import { proveAddress } from '../accounts/prove-address'
import {
  type Account,
  createUser,
  findAccount,
  findAccountByEmail,
  hasUsers,
  type UserRow,
  updateUser,
} from '../accounts/users'
import { adoptProjects, invitedAddress } from '../members/memberships'
import { mayMailSignUp } from './limits'
import { mailKnownAddress, mailPasswordReset, mailVerification } from './mail-links'
import { deleteMailTokens, hasSetupToken, takeSetupToken } from './queries'
import { closeSetup, lockSetup } from './setup'

export interface SignUp {
  email: string
  password: string
  name: string
  setupToken?: string
  invitationToken?: string
}

/**
 * What opens the sign-up to this person. The first two prove the address; a link that was shown lets in without proof.
 */
type Opening =
  | { by: 'SETUP'; tokenHash: string }
  | { by: 'INVITATION' }
  | { by: 'SHOWN_LINK'; invitationId: string }
  | { by: 'EVERYBODY' }

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
    const invited = await invitedAddress(ctx, invitationToken)
    if (invited === null || emailKey(invited.email) !== emailKey(email))
      throw closed('This invitation is not valid any more, or it is for another address')
    const { shownBy } = invited
    return shownBy === null ? { by: 'INVITATION' } : { by: 'SHOWN_LINK', invitationId: shownBy }
  }
  if (!ctx.config.isSignupOpen) throw closed('Accounts are made by invitation here')
  return { by: 'EVERYBODY' }
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
  await adoptProjects(tx, user.id)
}

const addAnother: Add = async (tx, given, passwordHash, opening) => {
  const isVerified = opening.by === 'INVITATION'
  const admittedBy = opening.by === 'SHOWN_LINK' ? opening.invitationId : null
  const made = await createUser(tx, { ...given, passwordHash, isVerified, admittedBy })
  if (made) {
    await recordSignUp(tx, made, opening.by)
    if (opening.by === 'EVERYBODY') await mailVerification(tx, made)
    return
  }
  const known = await findAccountByEmail(tx, emailKey(given.email))
  if (!known) return
  await lockUser(tx, known.user.id)
  const account = await findAccount(tx, known.user.id)
  if (account) await addToKnown(tx, account, { ...given, passwordHash }, opening)
}

type Chosen = SignUp & { passwordHash: string }

/** An account with a way to sign in changes only after a proof of the address. */
async function addToKnown(tx: Tx, account: Account, chosen: Chosen, opening: Opening): Promise<void> {
  const { emailVerifiedAt, admittedBy } = account.user
  if (emailVerifiedAt !== null) {
    if (opening.by === 'EVERYBODY' && mayMailSignUp(tx, account.user.id)) await mailKnownAddress(tx, account.user)
  } else if (opening.by === 'INVITATION') await replaceProved(tx, account, chosen)
  else if (admittedBy === null) await replaceUnverified(tx, account.user, chosen, opening)
  else if (opening.by === 'EVERYBODY' && mayMailSignUp(tx, account.user.id)) await mailPasswordReset(tx, account.user)
}

/** The link of the mail proves the address, also when another person has made the account. */
async function replaceProved(tx: Tx, account: Account, { name, passwordHash }: Chosen): Promise<void> {
  await proveAddress(tx, account, { name, passwordHash })
  await deleteMailTokens(tx, account.user.id, 'VERIFY_EMAIL')
  await recordSignUp(tx, { ...account.user, name, emailVerifiedAt: tx.clock.now() }, 'INVITATION')
}

/**
 * Nobody could sign in to such an account, so a stranger may have made it for an address that is not theirs. The newest
 * sign-up decides, and each mailed link confirms only the password of its own sign-up.
 */
async function replaceUnverified(
  tx: Tx,
  user: UserRow,
  { name, passwordHash }: Chosen,
  opening: Opening,
): Promise<void> {
  const admittedBy = opening.by === 'SHOWN_LINK' ? opening.invitationId : null
  const set = { name, passwordHash, admittedBy, updatedAt: tx.clock.now() }
  await updateUser(tx, user.id, set)
  if (admittedBy !== null) await deleteMailTokens(tx, user.id, 'VERIFY_EMAIL')
  else if (mayMailSignUp(tx, user.id)) await mailVerification(tx, { ...user, ...set })
  await recordSignUp(tx, { ...user, ...set }, opening.by)
}

const recordSignUp = (tx: Tx, user: UserRow, by: Opening['by']): Promise<void> =>
  recordAccount(tx, actorOf(user), user.id, 'user.sign_up', {
    after: { email: user.email, name: user.name, emailVerified: user.emailVerifiedAt !== null, by },
  })
