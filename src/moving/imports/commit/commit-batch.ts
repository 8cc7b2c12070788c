import type { Tx } from '../../../base/context'
import { recordMany } from '../../../intake/recording/record-many'
import { causeOf } from '../../../people/events/model'
import type { ProjectState } from '../../../projects/project/state'
import { findUnknown } from '../known-products'
import type { BatchResult } from '../model'
import type { ImportRow } from '../row'
import { publishAccess } from './access'
import { saveAnchors } from './anchors'
import { purchaseMarks, purchasesOf, subscriberMarks } from './batch-marks'
import type { ImportJobRow } from './job-row'
import { markPurchases, markSubscribers } from './marks'
import { writePeople } from './people'
import { planWriting } from './plan-batch'

/**
 * Records the rows of a batch as observations (wire 5.16), in the caller's transaction: subscribers, purchases, money
 * lines, figures, and what the stores can be asked about. The same rows again change nothing. Access is right at once;
 * there are no purchase events, and no currency is granted.
 */
export async function commitBatch(
  open: Tx,
  project: ProjectState,
  job: ImportJobRow,
  batch: readonly ImportRow[],
): Promise<BatchResult> {
  const tx = atOneInstant(open)
  const cause = causeOf('IMPORT', job.id)
  const { rows, people, planned, chainOf, skipped } = await planWriting(tx, project, job, batch, cause)
  await publishAccess(tx, project, planned, people)
  await writePeople(tx, people.values())
  await recordMany(tx, project, planned, cause)
  await saveAnchors(tx, job, rows, people, purchasesOf(planned, chainOf))
  return {
    subscribersNew: await markSubscribers(tx, subscriberMarks(job.id, people)),
    ...(await markPurchases(tx, purchaseMarks(job.id, planned))),
    skipped,
    unknownProducts: findUnknown(project, 'HISTORY', rows),
  }
}

/** All rows of a batch are written at one instant, which is then one value of each statement. */
function atOneInstant(tx: Tx): Tx {
  const at = tx.clock.now()
  return { ...tx, clock: { now: () => at } }
}
