import type { Product } from '../../catalog/snapshot'
import type { Context } from '../../context'
import { AppError } from '../../errors'
import { settlesWithin } from '../../jobs/within'
import { MINUTE } from '../../lib/clock'
import type { ProjectState } from '../../projects/state'
import { PLAY_TIMEOUT_MS } from '../../stores/android/client'
import { assertLive, findByDevice, type SubscriberRow } from '../../subscribers/service'
import { findByChain, listSources } from '../queries'
import { type ReceiptResult, resultFor } from '../receipt'
import { namedProducts } from './match'
import { type AndroidReceiptInput, type AndroidSubmission, recordReceipt } from './receipt-record'
import { ANDROID } from './record'
import { assertSelling, verifyAndroidReceipt } from './verify'

export type { AndroidReceiptInput }

/** Asks Google about a purchase token and records what it says (wire 2.7). */
export async function submitAndroidReceipt(
  ctx: Context,
  project: ProjectState,
  key: AndroidSubmission['key'],
  input: AndroidReceiptInput,
): Promise<ReceiptResult> {
  assertSelling(ctx, project, input.receipt)
  const named = namedProducts(project.catalog, input.productId)
  if (named.length === 0) throw new AppError('RECEIPT_PRODUCT_UNKNOWN', { productId: input.productId })
  const known = await findFresh(ctx, project.id, input, named)
  const result = known
    ? await resultFor(ctx, project, known)
    : await verifyAndRecord(ctx, project, { key, input }, named)
  ctx.presence.see(result.subscriber.id, ctx.clock.now())
  return result
}

/** Devices post their tokens at each start: what Google said less than this ago is not asked again. */
const FRESH_MS = MINUTE
const SHOWN: readonly string[] = ['RECEIPT', 'RESTORE']

async function findFresh(
  ctx: Context,
  projectId: string,
  { receipt, deviceKey }: AndroidReceiptInput,
  named: readonly Product[],
): Promise<SubscriberRow | null> {
  const subscriber = await findByDevice(ctx, projectId, deviceKey)
  if (!subscriber) return null
  assertLive(subscriber)
  const purchase = await findByChain(ctx, projectId, ANDROID, receipt)
  if (purchase?.subscriberId !== subscriber.id || !named.some(({ id }) => id === purchase.productId)) return null
  const sources = await listSources(ctx, purchase.id)
  // What only a push has told is still to be acknowledged, and to be joined to where it was sold.
  if (!sources.some(({ cause }) => SHOWN.includes(cause.kind))) return null
  const saidAt = Math.max(0, ...sources.map(({ kind, eventAt }) => (kind === 'REPORT' ? eventAt : 0)))
  return Math.abs(ctx.clock.now() - saidAt) < FRESH_MS ? subscriber : null
}

async function verifyAndRecord(
  ctx: Context,
  project: ProjectState,
  submission: AndroidSubmission,
  named: readonly Product[],
): Promise<ReceiptResult> {
  const looking = verifyAndroidReceipt(ctx, project, submission.input.receipt, named)
  // Several calls may be needed, and the answer must leave within 8 s all the same (wire 3.2).
  if (!(await settlesWithin(looking, PLAY_TIMEOUT_MS))) throw new AppError('STORE_UNAVAILABLE')
  const looks = await looking
  return ctx.write((tx) => recordReceipt(tx, project, submission, looks))
}
