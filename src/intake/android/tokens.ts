import type { Tx } from '../../base/context'
import { lockChain } from '../../people/purchases/lock'
import { findByChain, listByChain, type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import { isOrderId } from '../../stores/android/order'
import type { AndroidLook } from './fetch'

export const ANDROID = 'ANDROID_STORE'

/** Locks purchases by their tokens, always in the same order. */
export async function lockTokens(tx: Tx, projectId: string, tokens: readonly string[]): Promise<void> {
  for (const token of [...new Set(tokens)].sort()) await lockChain(tx, projectId, ANDROID, token)
}

/**
 * An import without tokens knows a purchase by its order, and such a purchase has that as its key. The first answer of
 * Google with its token gives it the token, so that both are one purchase. The caller holds the locks of the tokens.
 */
export async function adoptOrders(tx: Tx, projectId: string, looks: readonly AndroidLook[]): Promise<void> {
  for (const { purchaseToken, originalTransactionId: orderId } of looks) {
    if (!isOrderId(orderId) || (await findByChain(tx, projectId, ANDROID, orderId)) === null) continue
    await lockTokens(tx, projectId, [orderId])
    const imported = await findByChain(tx, projectId, ANDROID, orderId)
    const isKnown = (await findByChain(tx, projectId, ANDROID, purchaseToken)) !== null
    if (imported && !isKnown) await updatePurchase(tx, imported.id, { chainKey: purchaseToken })
  }
}

/** The tokens of the fetched purchases and of those that they replace. */
export const tokensOf = (looks: readonly AndroidLook[]): string[] => [
  ...new Set(
    looks.flatMap(({ purchaseToken, replaced }) => [purchaseToken, ...(replaced ? [replaced.purchaseToken] : [])]),
  ),
]

/** The recorded lines of these tokens, in the order of the tokens. */
export async function listByTokens(tx: Tx, projectId: string, tokens: readonly string[]): Promise<PurchaseRow[]> {
  const rows: PurchaseRow[] = []
  for (const token of tokens) rows.push(...(await listByChain(tx, projectId, ANDROID, token)))
  return rows
}
