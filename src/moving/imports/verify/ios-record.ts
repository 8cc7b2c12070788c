import type { Tx } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { admitMember, listPurchasesOf, lockOriginal, STORE } from '../../../intake/ios/parties'
import { recordNotified } from '../../../intake/ios/record'
import type { SubscriberRow } from '../../../people/subscribers/service'
import type { DecodedTransaction } from '../../../stores/ios/decode'
import { adoptChain } from './chain'
import { type AnchorRow, nothing, type RecordedAnchor, type Run } from './model'
import { settleOwner } from './owner'

/** Records a transaction for the person of the anchor. */
export async function recordIos(
  tx: Tx,
  { project, job }: Run,
  anchor: AnchorRow,
  transaction: DecodedTransaction,
  named: SubscriberRow,
): Promise<RecordedAnchor> {
  await lockOriginal(tx, project.id, transaction)
  await adoptChain(tx, project.id, anchor, transaction)
  const find = async (person: SubscriberRow) => (await listPurchasesOf(tx, transaction, person))[0] ?? null
  const { person, held, cause, note } = await settleOwner(tx, project, job, STORE, named, () => find(named))
  if (!held && !(await isAdmitted(tx, project.id, transaction, person)))
    return nothing('as many people as may hold the shared purchase hold it already')
  const problem = await recordNotified(tx, project, transaction, cause, person)
  if (problem === 'environment') return nothing('the purchase on record is of the other environment')
  if (problem === 'erased') return nothing('its owner was erased')
  const purchase = await find(person)
  if (!purchase) return nothing('nothing was bought')
  return { purchase, touched: note === null ? [{ purchaseId: purchase.id, isNew: held === null }] : [], note }
}

async function isAdmitted(
  tx: Tx,
  projectId: string,
  transaction: DecodedTransaction,
  subscriber: SubscriberRow,
): Promise<boolean> {
  if (transaction.ownershipType !== 'FAMILY_SHARED') return true
  try {
    await admitMember(tx, { projectId, transaction }, { subscriber, purchases: [], isNew: false })
    return true
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'RECEIPT_IN_USE') return false
    throw error
  }
}
