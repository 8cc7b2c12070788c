import type { RestoringStore } from '../receipts/restoring'
import { listPurchasesOf } from './parties'
import { submitIosReceipt } from './receipt'
import { matchProduct, verifyIosReceipt } from './verify'

/** How a restore submits and checks iOS purchases (wire 2.8). */
export const iosRestoring: RestoringStore = {
  submit: submitIosReceipt,
  async isHeld(ctx, project, subscriber, { receipt, productId }) {
    const transaction = await verifyIosReceipt(ctx, project, receipt)
    matchProduct(project, transaction.storeProductId, productId)
    const purchases = await listPurchasesOf(ctx, transaction, subscriber)
    return purchases.length > 0 && purchases.every(({ subscriberId }) => subscriberId === subscriber.id)
  },
}
