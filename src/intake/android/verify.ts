import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { Product } from '../../projects/catalog/snapshot'
import { androidClient, isSimulatedPlay } from '../../projects/connections/android-store'
import type { ProjectState } from '../../projects/project/state'
import type { PlayClient } from '../../stores/android/client'
import { readRecorded, withPredecessors } from './chain'
import { type AndroidLook, type LookOrder, type LookResult, lookAt, receiptRefusal } from './fetch'
import { familyOf, hasItemOf, hasProductOf, storeIdOf } from './match'

/** 400 `STORE_NOT_CONFIGURED` where the project has no Android app, unless the token is the test store's. */
export function assertSelling(ctx: Context, { android }: ProjectState, purchaseToken: string): void {
  if (!android && !isSimulatedPlay(ctx, purchaseToken)) throw new AppError('STORE_NOT_CONFIGURED')
}

/** Fetches the purchase of a token and those that it replaces, the oldest first; throws the errors of wire 2.7. */
export async function verifyAndroidReceipt(
  ctx: Context,
  project: ProjectState,
  purchaseToken: string,
  named: readonly Product[],
): Promise<AndroidLook[]> {
  const client = await androidClient(ctx, project, purchaseToken)
  const result = await lookForProducts(ctx, client, project, purchaseToken, named)
  if (result.kind !== 'found') throw receiptRefusal(result)
  return withPredecessors(ctx, client, project, result.look)
}

/** A name may mean a subscription and a one-time product. Google knows the token as only one of the two. */
async function lookForProducts(
  ctx: Context,
  client: PlayClient,
  project: ProjectState,
  purchaseToken: string,
  named: readonly Product[],
): Promise<LookResult> {
  const { firstOrderId, isRecorded } = await readRecorded(ctx, project.id, purchaseToken)
  let result: LookResult = { kind: 'mismatch' }
  for (const [family, products] of Map.groupBy(named, familyOf)) {
    result = await lookUnlessRefused(ctx, client, project, {
      purchaseToken,
      family,
      storeProductId: products[0] ? storeIdOf(products[0]) : null,
      now: () => ctx.clock.now(),
      firstOrderId,
      isRecorded,
      isNamed: {
        subscription: (found) => hasItemOf(found, products),
        product: (found) => hasProductOf(found, products),
      },
    })
    if (result.kind !== 'not_found' && result.kind !== 'mismatch') return result
  }
  return result
}

/** Asks nothing about a token that Google has called unknown within the last minute. */
async function lookUnlessRefused(
  ctx: Context,
  client: PlayClient,
  project: ProjectState,
  order: LookOrder,
): Promise<LookResult> {
  const { purchaseToken, family, storeProductId } = order
  const name = family === 'SUBSCRIPTION' ? family : `ONE_TIME ${storeProductId}`
  if (client.refused.has(purchaseToken, name, ctx.clock.now()))
    return { kind: 'not_found', status: 404, reason: 'remembered' }
  const result = await lookAt(client, project, order)
  // The test store is asked within this process.
  if (result.kind === 'not_found' && !isSimulatedPlay(ctx, purchaseToken))
    client.refused.add(purchaseToken, name, ctx.clock.now())
  return result
}
