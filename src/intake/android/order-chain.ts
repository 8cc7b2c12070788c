import type { Tx } from '../../base/context'
import { findByChain, updatePurchase } from '../../people/purchases/queries'
import { isOrderId } from '../../stores/android/order'
import type { AndroidLook } from './fetch'
import { ANDROID, lockTokens } from './record'

type Ordered = Pick<AndroidLook, 'purchaseToken' | 'originalTransactionId'>

/**
 * Locks the purchases of fetched tokens, and gives those that an import knows only by their first order the token as
 * chain key. So a token that is seen later continues the imported purchase instead of starting a second one.
 */
export async function lockLooks(
  tx: Tx,
  projectId: string,
  tokens: readonly string[],
  looks: readonly Ordered[],
): Promise<void> {
  const ordered = looks.filter(({ originalTransactionId }) => isOrderId(originalTransactionId))
  await lockTokens(tx, projectId, [...tokens, ...ordered.map(({ originalTransactionId }) => originalTransactionId)])
  for (const look of ordered) await adoptOrder(tx, projectId, look)
}

async function adoptOrder(tx: Tx, projectId: string, { purchaseToken, originalTransactionId }: Ordered): Promise<void> {
  if (await findByChain(tx, projectId, ANDROID, purchaseToken)) return
  const imported = await findByChain(tx, projectId, ANDROID, originalTransactionId)
  if (imported) await updatePurchase(tx, imported.id, { chainKey: purchaseToken })
}
