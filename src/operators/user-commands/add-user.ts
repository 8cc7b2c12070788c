import { CommandFailure } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { recordAccount } from '../accounts/audit-entry'
import { isEmailAddress } from '../accounts/email'
import { createUser, type UserRow } from '../accounts/users'
import { makeOwner } from '../members/memberships'
import { closeSetup, lockSetup } from '../sign-in/setup'
import { hashNew, linkFor } from './password'

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
    if (projectId !== null) await makeOwner(tx, user.id, projectId)
    return { user, passwordLink: passwordHash === null ? await linkFor(tx, user) : null }
  })
}
