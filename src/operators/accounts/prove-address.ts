import type { Tx } from '../../base/context'
import { actorOf, recordAccount } from './audit-entry'
import { type Account, deleteCredentials, updateUser } from './queries'

/** What a person may do whose address is not proved. */
export const HOW_TO_PROVE =
  'Ask for a new password on the sign-in page and use its link, or let the administrator of the server make one: svc user reset-password'

/** What the person who proves an address brings along. */
interface Brought {
  passwordHash?: string | null
  name?: string
}

/**
 * Something has proved that the address of an account is the person's own. Call it under the lock of the user.
 *
 * An account that the shown link of an invitation admitted may be a stranger's until then. Whoever proves the address
 * gets it with its memberships, which were meant for the address, and without anything with which the guest signed in:
 * password, second factor, passkeys and providers are gone, sessions end, and personal access tokens are deleted.
 */
export async function proveAddress(tx: Tx, { user }: Account, brought: Brought): Promise<void> {
  const now = tx.clock.now()
  if (user.admittedBy !== null) await endGuest(tx, { user })
  const proved = { emailVerifiedAt: now, admittedBy: null, updatedAt: now }
  await updateUser(tx, user.id, { ...(user.admittedBy !== null && { passwordHash: null }), ...proved, ...brought })
}

async function endGuest(tx: Tx, { user }: Pick<Account, 'user'>): Promise<void> {
  const ended = await deleteCredentials(tx, user.id)
  for (const forget of tx.hooks.onEndGuest ?? []) await forget(tx, user.id)
  await recordAccount(tx, actorOf(user), user.id, 'user.prove_address', {
    before: { emailVerified: false, admittedBy: user.admittedBy },
    after: { emailVerified: true, ...ended },
  })
}
