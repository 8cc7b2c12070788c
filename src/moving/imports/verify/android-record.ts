import type { Tx } from '../../../base/context'
import type { AndroidLook } from '../../../intake/android/fetch'
import { recordUpdate } from '../../../intake/android/news'
import { ANDROID, adoptOrders, listByTokens, lockTokens, tokensOf } from '../../../intake/android/tokens'
import { findByChain, findPurchaseById } from '../../../people/purchases/queries'
import type { SubscriberRow } from '../../../people/subscribers/service'
import { adoptChain } from './chain'
import { type AnchorRow, nothing, type RecordedAnchor, type Run } from './model'
import { settleOwner } from './owner'

/** Records the purchase of a token, and those that it replaced, for the person of the anchor. */
export async function recordAndroid(
  tx: Tx,
  { project, job }: Run,
  anchor: AnchorRow,
  looks: AndroidLook[],
  purchaseToken: string,
  named: SubscriberRow,
): Promise<RecordedAnchor> {
  const tokens = tokensOf(looks)
  await lockTokens(tx, project.id, tokens)
  await adoptOrders(tx, project.id, looks)
  const originalTransactionId = looks.at(-1)?.originalTransactionId ?? purchaseToken
  if (await isSameChain(tx, project.id, anchor))
    await adoptChain(tx, project.id, anchor, { chainKey: purchaseToken, originalTransactionId })
  const known = (await listByTokens(tx, project.id, tokens)).map(({ id }) => id)
  const find = () => findByChain(tx, project.id, ANDROID, purchaseToken)
  const { person, cause, note } = await settleOwner(tx, project, job, ANDROID, named, find)
  const result = await recordUpdate(tx, project, { purchaseToken, looks, marker: null, idle: null }, cause, person)
  if (result.kind === 'idle') return nothing(result.reason)
  const rows = await listByTokens(tx, project.id, tokens)
  const touched = rows.map(({ id }) => ({ purchaseId: id, isNew: !known.includes(id) }))
  return { purchase: await find(), touched: note === null ? touched : [], note }
}

/**
 * Whether the purchase that an anchor names may be the one of its token. One that is known by Google's orders is not,
 * unless they are the same: `adoptOrders` has joined it by then.
 */
async function isSameChain(tx: Tx, projectId: string, { purchaseId, proof }: AnchorRow): Promise<boolean> {
  if (proof.kind === 'ORDER') return true
  const held = purchaseId === null ? null : await findPurchaseById(tx, projectId, purchaseId)
  return held !== null && !/^GPA\./.test(held.originalTransactionId)
}
