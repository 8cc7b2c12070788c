import type { PlannedReport } from '../../../intake/recording/record-many'
import type { ImportRow } from '../row'
import type { RowChain } from './chains'
import type { MarkedPurchase, SubscriberMark } from './marks'
import type { ImportedPerson } from './people'

/** The purchase that each row became a part of. */
export function purchasesOf(
  planned: readonly PlannedReport[],
  chainOf: ReadonlyMap<PlannedReport['report'], RowChain>,
): ReadonlyMap<ImportRow, string> {
  const purchases = new Map<ImportRow, string>()
  for (const { row, report } of planned)
    if (row) for (const one of chainOf.get(report)?.rows ?? []) purchases.set(one, row.id)
  return purchases
}

/** People whom an import made are noted by each import that names them, so that the last one that is taken back removes them. */
export function subscriberMarks(jobId: string, people: ReadonlyMap<string, ImportedPerson>): SubscriberMark[] {
  const touched = [...new Set(people.values())].filter(({ isNew, before, row }) => isNew || before || row.isSynthetic)
  return touched.map(({ row, isNew, before }) => ({ jobId, subscriberId: row.id, isNew, before }))
}

export function purchaseMarks(jobId: string, planned: readonly PlannedReport[]): MarkedPurchase[] {
  return planned.flatMap(({ row, held, fresh, report, isChanged }) => {
    const repeats = report.observations.filter((one) => !fresh.includes(one)).map(({ id }) => id)
    if (!row || (!isChanged && repeats.length === 0)) return []
    return [{ jobId, purchaseId: row.id, isNew: held === null, repeats, isChanged }]
  })
}
