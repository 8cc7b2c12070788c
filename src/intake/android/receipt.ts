import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { settlesWithin } from '../../base/jobs/within'
import type { Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import { PLAY_TIMEOUT_MS } from '../../stores/android/client'
import { type ReceiptResult, recordKeepingDevice, resultFor } from '../receipts/receipt'
import { findFresh } from './fresh'
import { namedProducts } from './match'
import { type AndroidReceiptInput, type AndroidSubmission, recordReceipt } from './receipt-record'
import { assertSelling, verifyAndroidReceipt } from './verify'

export type { AndroidReceiptInput }

/** Fetches a purchase token from Google and records the answer (wire 2.7). */
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
  ctx.state.presence.see(result.subscriber.id, ctx.clock.now())
  return result
}

async function verifyAndRecord(
  ctx: Context,
  project: ProjectState,
  submission: AndroidSubmission,
  named: readonly Product[],
): Promise<ReceiptResult> {
  const looking = verifyAndroidReceipt(ctx, project, submission.input.receipt, named)
  // Several calls to Google may be needed, but our answer must be sent within 8 s (wire 3.2).
  if (!(await settlesWithin(looking, PLAY_TIMEOUT_MS))) throw new AppError('STORE_UNAVAILABLE')
  const looks = await looking
  return recordKeepingDevice(ctx, project, submission.input, () =>
    ctx.write((tx) => recordReceipt(tx, project, submission, looks)),
  )
}
