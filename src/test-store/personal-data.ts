import { and, eq, inArray } from 'drizzle-orm'
import type { OnErase } from '../people/subscribers/hooks'

/** At an erasure: the test stores forget what a person has bought there. */
export const eraseTestPurchases: OnErase = async (tx, { id }, _subscriber, { deviceKeys }) => {
  await tx.lock(`simulator:${id}`)
  const { simulatorChains: c, simulatorMessages: m } = tx.tables
  const chains = tx.db.delete(c).where(and(eq(c.projectId, id), inArray(c.deviceKey, [...deviceKeys])))
  const messages = tx.db.delete(m).where(and(eq(m.projectId, id), inArray(m.deviceKey, [...deviceKeys])))
  return {
    simulator_chains: { removed: (await chains.returning({ id: c.originalTransactionId })).length },
    simulator_messages: { removed: (await messages.returning({ id: m.id })).length },
  }
}
