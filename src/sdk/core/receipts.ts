import type { Core } from './core'
import type { SvcError } from './error'
import { ANSWERS, CONTEXT } from './keys'
import type { PurchaseResult, Receipt } from './model'
import type { Reads } from './reads'

interface WireReceipt {
  access: unknown
  virtualCurrencyBalances: PurchaseResult['virtualCurrencies']
}

/** Proves a purchase. What the user saw before it goes with the first receipt only. */
export async function postReceipt(core: Core, reads: Reads, { store, ...receipt }: Receipt): Promise<PurchaseResult> {
  const { productId } = receipt
  const presentedContext = core.memory.fresh(CONTEXT)
  const body = { ...receipt, appUserId: core.identity().deviceKey, presentedContext }
  const result = { productId, storeTransactionId: '', isDeferred: false, entitlements: [], virtualCurrencies: {} }
  try {
    const { access, virtualCurrencyBalances } = await core.send<WireReceipt>(`/receipts/${store}`, body)
    if (core.memory.get(CONTEXT) === presentedContext) core.memory.set(CONTEXT, undefined)
    reads.keep('entitlements', { entitlements: access })
    reads.keep('balances', { balances: virtualCurrencyBalances })
    const entitlements = reads.peek('entitlements')?.value ?? []
    return { ...result, entitlements, virtualCurrencies: virtualCurrencyBalances }
  } catch (error) {
    if ((error as SvcError).code === 'purchase_not_paid') return { ...result, isDeferred: true }
    throw error
  }
}

/** Tells the server that the user has seen the variant; once for each user, experiment and variant. */
export async function expose(core: Core, key: string, variantId: string | undefined): Promise<void> {
  if (!variantId) throw core.error('InvalidArgument', `The user is in no experiment ${key}`)
  const { memory, platform } = core
  const name = `${ANSWERS}${core.scope()}.exposed.${key}.${variantId}`
  if (memory.get(name)) return
  memory.set(name, 1)
  try {
    const body = { variantId, subscriberId: core.identity().deviceKey, platform: platform || undefined }
    await core.send(`/experiments/${encodeURIComponent(key)}/expose`, body)
  } catch (error) {
    memory.set(name, undefined)
    throw error
  }
}
