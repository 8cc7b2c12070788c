import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { lockAudit, recordOwnAudit } from './audit'
import { hasValue } from './audit-queries'
import { toReductions } from './reduction'

const PAGE = 50
const REDUCED = { before: null, after: null }

/**
 * Removes what the audit rows about these objects say of a person: of each row stays who did what and when. Appends to
 * the chain the digests of what stays, so that it can still be verified. The chain is locked from here on: this comes
 * last in a transaction, after all other locks. Returns how many rows were reduced.
 */
export async function reduceAuditRows(tx: Tx, projectId: string, objectIds: readonly string[]): Promise<number> {
  await lockAudit(tx, projectId)
  const reduced = []
  for (let at = 0; at < objectIds.length; at += PAGE)
    reduced.push(...(await reduceRowsAbout(tx, projectId, objectIds.slice(at, at + PAGE))))
  await recordOwnAudit(tx, projectId, toReductions(projectId, reduced))
  return reduced.length
}

async function reduceRowsAbout(tx: Tx, projectId: string, objectIds: readonly string[]) {
  const { auditLog: a } = tx.tables
  const isAbout = or(...objectIds.map((id) => hasValue(a.target, id)))
  const isWhole = and(eq(a.projectId, projectId), isNull(a.reducedAt), isAbout)
  const { position, id, at, actor, action, target, via } = a
  const columns = { position, id, at, actor, action, target, via }
  const found = await tx.db.select(columns).from(a).where(isWhole).orderBy(asc(position))
  const set = { ...REDUCED, reducedAt: tx.clock.now() }
  for (let from = 0; from < found.length; from += PAGE) {
    const positions = found.slice(from, from + PAGE).map((row) => row.position)
    await tx.db.update(a).set(set).where(inArray(position, positions))
  }
  return found
}
