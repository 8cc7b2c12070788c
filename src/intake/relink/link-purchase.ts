import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { findPurchaseById, listWithCauses, type PurchaseRow } from '../../people/purchases/queries'
import { findSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { lockStored } from '../recording/held'
import { isImportedHistory } from '../recording/imported-charges'
import { linesOf } from '../recording/line-change'
import { runOnRecorded } from '../recording/on-recorded'
import { isLinkedRow } from '../recording/purchase-row'
import { recordLines } from '../recording/record-lines'
import { projectIn } from './current-project'
import { linkedRow, saveLinked } from './linked-row'
import { tellLinked } from './tell-linked'

interface LinkOptions {
  /** It was an unlisted sale until now, whose charges grant no currency. */
  wasUnlisted?: boolean
  /** Whether its events are written here; else the caller writes them, and books what it grants. */
  isTold?: boolean
}

/**
 * Gives a recorded purchase and its money lines the products that the catalogue has for them now, with all that follows:
 * figures, currency, access and its events. What has a product keeps it. Imported history grants no currency and tells
 * nothing. Returns whether anything was linked; false for a purchase that is gone, and for the same purchase again.
 */
export async function linkPurchase(
  tx: Tx,
  known: ProjectState,
  purchaseId: string,
  cause: EventCause,
  { wasUnlisted = false, isTold = true }: LinkOptions = {},
): Promise<boolean> {
  const held = await lockPurchase(tx, known.id, purchaseId)
  const project = held && (await projectIn(tx, known))
  const owner = held && (await findSubscriber(tx, known.id, held.subscriberId))
  if (!held || !project || !owner) return false
  const recorded = await listWithCauses(tx, held.id)
  const reported = recorded.map(({ payload }) => payload)
  const linked = linkedRow(tx, project, owner, held, reported)
  if (!linked) return false
  await saveLinked(tx, held, linked, cause)
  const { row, ends } = linked
  const observations = [...reported, ...ends]
  const change = linesOf(reported, observations, row.fold.productType)
  const { stored, lines } = await recordLines(tx, project, row, change, { isNew: false, linking: 'LINKS' })
  if (!isLinkedRow(held, row) && stored.linked.size === 0) return false
  const about = { project, owner, purchase: row, isNew: false, isLinked: true }
  await runOnRecorded(tx, { ...about, observations, fresh: ends, saved: stored.saved })
  if (isTold && owner.erasedAt === null)
    await tellLinked(tx, project, owner, {
      ...{ held, row, stored, lines, cause, wasUnlisted },
      isImported: isImportedHistory(recorded),
    })
  return true
}

/** The purchase under its lock and that of its owner. */
async function lockPurchase(tx: Tx, projectId: string, purchaseId: string): Promise<PurchaseRow | null> {
  const found = await findPurchaseById(tx, projectId, purchaseId)
  return found && lockStored(tx, found)
}
