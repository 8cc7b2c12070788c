import type { Tx } from '../../../base/context'
import { lockPayment, PAYMENT } from '../../../intake/payment/owner'
import { recordPayment } from '../../../intake/payment/record'
import { findByChain, listByChain } from '../../../people/purchases/queries'
import type { SubscriberRow } from '../../../people/subscribers/service'
import type { DecodedPayment } from '../../../stores/payment/decode'
import { adoptChain } from './chain'
import { type AnchorRow, nothing, type RecordedAnchor, type Run } from './model'
import { settleOwner } from './owner'

/** Records a subscription or a payment for the person of the anchor. */
export async function recordSale(
  tx: Tx,
  { project, job }: Run,
  anchor: AnchorRow,
  payment: DecodedPayment,
  named: SubscriberRow,
): Promise<RecordedAnchor> {
  const { chainKey } = payment
  await lockPayment(tx, project.id, chainKey)
  await adoptChain(tx, project.id, anchor, { chainKey, originalTransactionId: chainKey })
  const find = () => findByChain(tx, project.id, PAYMENT, chainKey)
  const { person, held, cause, note } = await settleOwner(tx, project, job, PAYMENT, named, find)
  const known = new Set((await listByChain(tx, project.id, PAYMENT, chainKey)).map(({ id }) => id))
  const result = await recordPayment(tx, project, payment, cause, person)
  if (result.kind === 'idle') return nothing(result.reason)
  const lines = await listByChain(tx, project.id, PAYMENT, chainKey)
  const touched = lines.map(({ id }) => ({ purchaseId: id, isNew: !known.has(id) }))
  return { purchase: held ?? (await find()), touched: note === null ? touched : [], note }
}
