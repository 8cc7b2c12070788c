import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { hasValue } from './audit-queries'

const PAGE = 50
const REDUCED = { before: null, after: null }

/**
 * Removes what the audit rows about these objects say of a person: of each row stays who did what and when. Its place
 * in the hash chain stays verifiable. Returns how many rows were reduced.
 */
export async function reduceAuditRows(tx: Tx, projectId: string, objectIds: readonly string[]): Promise<number> {
  const { auditLog: a } = tx.tables
  let count = 0
  for (let at = 0; at < objectIds.length; at += PAGE) {
    const isAbout = or(...objectIds.slice(at, at + PAGE).map((id) => hasValue(a.target, id)))
    const isWhole = and(eq(a.projectId, projectId), isNull(a.reducedAt), isAbout)
    const found = await tx.db.select({ position: a.position }).from(a).where(isWhole)
    const positions = found.map(({ position }) => position)
    for (let from = 0; from < positions.length; from += PAGE)
      await tx.db
        .update(a)
        .set({ ...REDUCED, reducedAt: tx.clock.now() })
        .where(inArray(a.position, positions.slice(from, from + PAGE)))
    count += positions.length
  }
  return count
}
