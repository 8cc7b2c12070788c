import type { Tx } from '../../../base/context'
import { PAYMENT } from '../../../intake/payment/owner'
import { recordPayment } from '../../../intake/payment/record'
import { newsOf } from '../../../intake/payment/refresh'
import { findByChain, listObservations } from '../../../people/purchases/queries'
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
  await tx.lock(`purchase:${project.id}:${PAYMENT}:${chainKey}`)
  await adoptChain(tx, project.id, anchor, { chainKey, originalTransactionId: chainKey })
  const find = () => findByChain(tx, project.id, PAYMENT, chainKey)
  const { person, held, cause, note } = await settleOwner(tx, project, job, PAYMENT, named, find)
  const observations = newsOf(payment.observations, held ? await listObservations(tx, held.id) : [])
  const result = await recordPayment(tx, project, { ...payment, observations }, cause, person)
  if (result.kind === 'idle') return nothing(result.reason)
  const purchase = await find()
  const isTouched = purchase !== null && note === null
  return { purchase, touched: isTouched ? [{ purchaseId: purchase.id, isNew: held === null }] : [], note }
}
