import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { JoinedPurchases } from '../../intake/recording/on-recorded'

/** What imports have brought stays marked as theirs, so that their undo takes it from the purchase that stays. */
export async function joinMarks(tx: Tx, { survivorId, mergedIds }: JoinedPurchases): Promise<void> {
  const { importPurchases: m } = tx.tables
  const isMerged = inArray(m.purchaseId, [...mergedIds])
  const marks = await tx.db.select().from(m).where(isMerged)
  const own = await tx.db.select().from(m).where(eq(m.purchaseId, survivorId))
  await tx.db.delete(m).where(inArray(m.purchaseId, [survivorId, ...mergedIds]))
  for (const [jobId, same] of Map.groupBy([...own, ...marks], (mark) => mark.jobId)) {
    const isNew = same.find((mark) => mark.purchaseId === survivorId)?.isNew ?? false
    const repeats = [...new Set(same.flatMap((mark) => mark.repeats))]
    await tx.db.insert(m).values({ jobId, purchaseId: survivorId, isNew, repeats })
  }
}
