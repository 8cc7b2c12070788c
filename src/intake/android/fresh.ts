import type { Context } from '../../base/context'
import { MINUTE } from '../../base/lib/clock'
import { listByChain, listSources } from '../../people/purchases/queries'
import { assertLive, findByDevice, type SubscriberRow } from '../../people/subscribers/service'
import type { Product } from '../../projects/catalog/snapshot'
import { bringsContext } from '../recording/record-observations'
import type { AndroidReceiptInput } from './receipt-record'
import { ANDROID } from './tokens'

/** Devices post their tokens at each start. A purchase fetched less than this ago is not fetched again. */
const FRESH_MS = MINUTE
const SUBMITTED: readonly string[] = ['RECEIPT', 'RESTORE']

/** The subscriber, when they submit their own purchase again and it need not be fetched from the store; else null. */
export async function findFresh(
  ctx: Context,
  projectId: string,
  { receipt, deviceKey, presentedContext }: AndroidReceiptInput,
  named: readonly Product[],
): Promise<SubscriberRow | null> {
  const subscriber = await findByDevice(ctx, projectId, deviceKey)
  if (!subscriber) return null
  assertLive(subscriber)
  const lines = await listByChain(ctx, projectId, ANDROID, receipt)
  const purchase = lines.find(({ productId }) => named.some(({ id }) => id === productId))
  if (purchase?.subscriberId !== subscriber.id) return null
  if (bringsContext(presentedContext, purchase)) return null
  const sources = await listSources(ctx, purchase.id)
  // A purchase that only a push has recorded is not acknowledged yet.
  if (!sources.some(({ cause }) => SUBMITTED.includes(cause.kind))) return null
  const reportedAt = Math.max(0, ...sources.map(({ kind, eventAt }) => (kind === 'REPORT' ? eventAt : 0)))
  return Math.abs(ctx.clock.now() - reportedAt) < FRESH_MS ? subscriber : null
}
