import type { TransactionPayload } from '../ios/decode'
import { transactionIdOf } from './ids'
import {
  type SimulatedProduct,
  signTransaction,
  simulatedExpiry,
  simulatedPurchase,
  simulatedRefund,
  simulatedRenewal,
} from './ios'
import { listChains, saveChain } from './queries'
import { type SimulatorContext, simulatorKeys } from './service'

/** A signed transaction as an app would receive it from the store, with the chain that it belongs to. */
export interface SimulatedReceipt {
  /** What the app posts. */
  receipt: string
  payload: TransactionPayload
}

export interface SimulatedOrder {
  projectId: string
  deviceKey: string
  bundleId: string
  product: SimulatedProduct
  withTrial?: boolean
}

/** Buys at the test store. The order's facts must be those of the project's own catalogue. */
export async function simulatePurchase(
  ctx: SimulatorContext,
  { projectId, deviceKey, ...order }: SimulatedOrder,
): Promise<SimulatedReceipt> {
  const transactionId = transactionIdOf(ctx.ids.uuid())
  return sign(ctx, projectId, deviceKey, simulatedPurchase({ ...order, transactionId, now: ctx.clock.now() }))
}

/** A further turn in the life of a purchase that the test store sold. */
export type Turn = 'renew' | 'refund' | 'expire'

/** Which purchase a turn is about; the newest one of the device when no store product is named. */
export interface TurnOf {
  projectId: string
  deviceKey: string
  storeProductId: string | null
  /** Facts of a store product, for the period and price of a renewal. */
  productOf: (storeProductId: string) => SimulatedProduct
}

/** Renews, refunds or ends a purchase of the device; null when the test store has sold it nothing of the kind. */
export async function simulateTurn(
  ctx: SimulatorContext,
  turn: Turn,
  { projectId, deviceKey, storeProductId, productOf }: TurnOf,
): Promise<SimulatedReceipt | null> {
  const payloads = (await listChains(ctx, projectId, deviceKey)).map(({ payload }) => payload as TransactionPayload)
  const previous = payloads.find(({ productId }) => storeProductId === null || productId === storeProductId)
  return previous ? sign(ctx, projectId, deviceKey, turned(ctx, turn, previous, productOf)) : null
}

function turned(
  ctx: SimulatorContext,
  turn: Turn,
  previous: TransactionPayload,
  productOf: TurnOf['productOf'],
): TransactionPayload {
  const now = ctx.clock.now()
  if (turn === 'refund') return simulatedRefund(previous, now)
  if (turn === 'expire') return simulatedExpiry(previous, now)
  return simulatedRenewal(previous, {
    product: productOf(previous.productId),
    transactionId: transactionIdOf(ctx.ids.uuid()),
    now,
  })
}

async function sign(
  ctx: SimulatorContext,
  projectId: string,
  deviceKey: string,
  payload: TransactionPayload,
): Promise<SimulatedReceipt> {
  const keys = await simulatorKeys(ctx)
  const { originalTransactionId } = payload
  await ctx.write((tx) =>
    saveChain(tx, { projectId, originalTransactionId, deviceKey, payload, updatedAt: tx.clock.now() }),
  )
  return { receipt: signTransaction(keys, payload), payload }
}
