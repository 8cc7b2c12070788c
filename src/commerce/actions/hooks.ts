import { asc, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { JoinedPurchases } from '../../intake/recording/on-recorded'
import type { OnExport } from '../../people/subscribers/hooks'
import { toActionView } from './wire'

/** For the data export of a person: what is planned for the purchases, and what became of it. */
export const exportActions: OnExport = ({ db, tables }, _project, { ids }) => ({
  'purchases.jsonl': (async function* () {
    const { scheduledActions: a, purchases: p } = tables
    const isOwn = inArray(p.subscriberId, [...ids])
    const rows = await db
      .select({ action: a })
      .from(p)
      .innerJoin(a, eq(a.purchaseId, p.id))
      .where(isOwn)
      .orderBy(asc(a.id))
    for (const { action } of rows) yield { record: 'scheduledAction', ...toActionView(action) }
  })(),
})

/** Scheduled actions stay with the purchase that stays. */
export async function joinActions(tx: Tx, { survivorId, mergedIds }: JoinedPurchases): Promise<void> {
  const { scheduledActions: a } = tx.tables
  for (const id of mergedIds) await tx.db.update(a).set({ purchaseId: survivorId }).where(eq(a.purchaseId, id))
}
