import type { Tx } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import { endSessions } from '../accounts/sessions'
import { raiseSession } from './queries'

/**
 * The session in which two-factor sign-in was turned on has passed both factors and gets a new token; null = it was done
 * without one. The others end: they were opened by one factor, perhaps by a stranger who knows the password.
 */
export async function keepOnly(
  tx: Tx,
  userId: string,
  session: { id: string } | null,
  { token, now }: { token: string; now: number },
): Promise<number> {
  if (session) await raiseSession(tx, session.id, sha256Hex(token), now)
  return endSessions(tx, userId, session?.id ?? null)
}
