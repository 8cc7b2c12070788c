import type { Tx } from '../../base/context'
import type { RecordedPurchase } from '../../intake/recording/on-recorded'
import { countsUnlisted } from '../../people/purchases/unlisted-sales'
import { recordEntries, takeBackEntries } from './record'

/** Records the entries of a purchase; those of an unlisted sale only where the project counts it. */
export const recordCounted = (tx: Tx, recorded: RecordedPurchase): Promise<void> =>
  recorded.owner === null && !countsUnlisted(recorded.project)
    ? takeBackEntries(tx, [recorded.purchase.id])
    : recordEntries(tx, recorded)
