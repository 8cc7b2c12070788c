import { and, eq, inArray } from 'drizzle-orm'
import type { OnErase } from '../people/subscribers/hooks'
import { reduceAuditRows } from '../projects/audit/personal-data'

/** At an erasure: the test stores forget what a person has bought there. */
export const eraseTestPurchases: OnErase = async (tx, { id }, _subscriber, { ids, deviceKeys }) => {
  await tx.lock(`simulator:${id}`)
  // A sale that this lock waited for may have recorded its audit row after the erasure reduced those of the person.
  const reduced = await reduceAuditRows(tx, id, ids)
  const { simulatorChains: c, simulatorMessages: m } = tx.tables
  const chains = tx.db.delete(c).where(and(eq(c.projectId, id), inArray(c.deviceKey, [...deviceKeys])))
  const messages = tx.db.delete(m).where(and(eq(m.projectId, id), inArray(m.deviceKey, [...deviceKeys])))
  return {
    audit_log: { reduced },
    simulator_chains: { removed: (await chains.returning({ id: c.originalTransactionId })).length },
    simulator_messages: { removed: (await messages.returning({ id: m.id })).length },
  }
}
