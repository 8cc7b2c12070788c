import type { Tx } from '../../base/context'
import { type Actor, type AuditEntry, recordAudit } from './audit'

/** The hash chain of changes that belong to no project. It has the place of a project id in the audit log. */
export const PLATFORM_CHAIN = 'platform'

/**
 * Appends to the chain of the platform. All its writers wait for each other until their transactions end, so nothing
 * slow may follow in the transaction.
 */
export const recordPlatformAudit = (tx: Tx, actor: Actor, ...entries: readonly AuditEntry[]): Promise<void> =>
  recordAudit(tx, PLATFORM_CHAIN, actor, entries)
