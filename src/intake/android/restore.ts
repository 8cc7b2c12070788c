import { AppError } from '../../base/errors'
import { findByChain } from '../../people/purchases/queries'
import type { RestoringStore } from '../receipts/restoring'
import { namedProducts } from './match'
import { submitAndroidReceipt } from './receipt'
import { ANDROID } from './tokens'

/** How a restore submits and checks Android purchases (wire 2.8). */
export const androidRestoring: RestoringStore = {
  submit: (ctx, project, key, input) =>
    submitAndroidReceipt(ctx, project, key, { ...input, obfuscatedAccountId: null }),
  async isHeld(ctx, project, subscriber, { receipt, productId }) {
    if (namedProducts(project.catalog, productId).length === 0)
      throw new AppError('RECEIPT_PRODUCT_UNKNOWN', { productId })
    const purchase = await findByChain(ctx, project.id, ANDROID, receipt)
    return purchase?.subscriberId === subscriber.id
  },
}
