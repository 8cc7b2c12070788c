import type { Tx } from '../../base/context'
import type { Actor } from '../../projects/audit/audit'
import { recordPlatformAudit } from '../../projects/audit/platform'

/** Writes one change of an account to the audit log. `before` and `after` never contain a secret. */
export const recordAccount = (
  tx: Tx,
  actor: Actor,
  userId: string,
  action: string,
  { before = null, after = null }: { before?: unknown; after?: unknown } = {},
): Promise<void> => recordPlatformAudit(tx, actor, { action, target: { type: 'user', id: userId }, before, after })

export const actorOf = ({ id, email }: { id: string; email: string }): Actor => ({ kind: 'USER', id, email })
