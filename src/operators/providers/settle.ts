import type { Tx } from '../../base/context'
import { actorOf, recordAccount } from '../accounts/audit-entry'
import { lockUser } from '../accounts/begin'
import { emailKey } from '../accounts/email'
import { proveAddress } from '../accounts/prove-address'
import { createUser, findAccount, findAccountByEmail } from '../accounts/users'
import { type Decision, decide } from './decide'
import type { Identity, OAuthFailure } from './model'
import { findIdentity, insertIdentity } from './queries'

type Settled = { userId: string } | { failure: OAuthFailure }

/**
 * Which account a sign-in opens. One statement decides between two callbacks of one person: the first insert of the
 * identity wins.
 */
export async function settle(tx: Tx, identity: Identity, mayBeNew: boolean): Promise<Settled> {
  await tx.lock(`identity:${identity.provider}:${identity.subject}`)
  const { provider, subject, email } = identity
  const linkedUserId = (await findIdentity(tx, provider, subject))?.userId ?? null
  const account = await findAccountByEmail(tx, emailKey(email))
  const holder = account && {
    userId: account.user.id,
    isVerified: account.user.emailVerifiedAt !== null,
    isGuest: account.user.admittedBy !== null,
  }
  return carryOut(tx, identity, decide(identity, { linkedUserId, holder, maySignUp: mayBeNew }))
}

async function carryOut(tx: Tx, identity: Identity, decision: Decision): Promise<Settled> {
  if (decision.do === 'REFUSE') return { failure: decision.failure }
  if (decision.do === 'SIGN_IN') return { userId: decision.userId }
  if (decision.do === 'SIGN_UP') return signUpBy(tx, identity)
  await lockUser(tx, decision.userId)
  if (decision.do === 'TAKE_OVER') await takeOver(tx, decision.userId, identity)
  return (await link(tx, decision.userId, identity)) ? { userId: decision.userId } : { failure: 'account_exists' }
}

/** The provider proves the address. Another sign-in may have done so since the decision. */
async function takeOver(tx: Tx, userId: string, { name }: Identity): Promise<void> {
  const account = await findAccount(tx, userId)
  if (account && account.user.admittedBy !== null) await proveAddress(tx, account, { name })
}

async function signUpBy(tx: Tx, identity: Identity): Promise<Settled> {
  const { email, name, provider } = identity
  const user = await createUser(tx, { email, name, passwordHash: null, isVerified: true })
  if (!user) return { failure: 'account_exists' }
  await recordAccount(tx, actorOf(user), user.id, 'user.sign_up', {
    after: { email, name, emailVerified: true, by: provider },
  })
  await link(tx, user.id, identity)
  return { userId: user.id }
}

export async function link(tx: Tx, userId: string, { provider, subject, email }: Identity): Promise<boolean> {
  const known = await findIdentity(tx, provider, subject)
  if (known) return known.userId === userId
  const row = { provider, subject, userId, email, createdAt: tx.clock.now() }
  if (!(await insertIdentity(tx, row))) return false
  const account = await findAccount(tx, userId)
  if (account) await recordAccount(tx, actorOf(account.user), userId, 'identity.link', { after: { provider, email } })
  return true
}
